import assert from "node:assert/strict";
import fc from "fast-check";
import { ExpiringCounts } from "../../../lib/webhook/expiring-counts";

const AGE = 100;
const MOST = 5;

/** The same by the simplest means: a list from old to young. */
class Model {
  list: { key: string; at: number; count: number }[] = [];

  expire(now: number): void {
    while (this.list[0] !== undefined && this.list[0].at <= now - AGE) this.list.shift();
  }

  put(key: string, at: number, count: number): void {
    this.list = [...this.list.filter((entry) => entry.key !== key), { key, at, count }].slice(-MOST);
  }

  find(key: string) {
    return this.list.find((entry) => entry.key === key);
  }
}

describe("counts that expire", () => {
  it("do what a plain list would, whatever comes in whatever order", () => {
    const key = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
    const step = fc.oneof(
      fc.record({ what: fc.constantFrom("has", "take", "set", "add"), key }),
      fc.record({ what: fc.constantFrom("wait", "entries", "restore"), key }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let now = 1000;
        const counts = new ExpiringCounts(AGE, MOST, () => now);
        const model = new Model();
        for (const { what, key } of steps) {
          const found = model.find(key);
          switch (what) {
            case "entries":
              counts.entries();
              model.expire(now);
              break;
            case "wait":
              now += 17;
              break;
            case "set":
              counts.set(key, 2);
              model.put(key, now, 2);
              break;
            case "add":
              counts.add(key, 1);
              model.put(key, now, (found?.count ?? 0) + 1);
              break;
            case "has":
              model.expire(now);
              assert.equal(counts.has(key), model.find(key) !== undefined);
              break;
            case "take": {
              model.expire(now);
              const entry = model.find(key);
              assert.equal(counts.take(key), entry !== undefined);
              if (entry !== undefined && --entry.count === 0) {
                model.list = model.list.filter((each) => each !== entry);
              }
              break;
            }
            case "restore":
              model.expire(now);
              counts.restore(counts.entries());
              break;
          }
        }
        model.expire(now);
        assert.deepEqual(
          counts.entries(),
          model.list.map(({ key, at, count }) => [key, at, count]),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("keep the youngest of many thousands", () => {
    const counts = new ExpiringCounts(1e9, 1000, () => 5);
    for (let each = 0; each <= 20_000; each++) {
      counts.set(String(each % 7 === 0 ? 0 : each), 1);
    }
    const entries = counts.entries();
    assert.equal(entries.length, 1000);
    assert.equal(entries.at(-1)?.[0], "20000");
    assert.ok(counts.has("0"));
    assert.ok(!counts.has("15000"));
  });
});
