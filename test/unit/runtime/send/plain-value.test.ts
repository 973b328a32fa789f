import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { fromPlain, toPlain } from "../../../../lib/runtime/send/plain-value";

const LIMIT = 10_000;
/** What a message is after it was kept as JSON and restored. */
const restored = (value: unknown): unknown =>
  fromPlain(JSON.parse(JSON.stringify(toPlain(value, LIMIT).value)));

describe("values of a message that is kept", () => {
  it("come back as they were where they were made in another context, as by a Function node", () => {
    const made: unknown = runInNewContext(`({
      text: "x", deep: { list: [{ a: 1 }, [2]] }, none: Object.create(null),
      when: new Date(5), bytes: new Uint8Array([0, 255])
    })`);
    assert.deepEqual(toPlain(made, LIMIT).lost, []);
    assert.deepEqual(restored(made), {
      text: "x",
      deep: { list: [{ a: 1 }, [2]] },
      none: {},
      when: new Date(5),
      bytes: Buffer.from([0, 255]),
    });
  });

  it("are left out and named where they are objects of a class, whatever their context", () => {
    class Own {}
    const made: unknown = runInNewContext(
      `({ map: new Map(), own: new (class Own {})(), kept: 1, call() {} })`,
    );
    assert.deepEqual(toPlain(made, LIMIT).lost, ["map", "own", "call"]);
    assert.deepEqual(toPlain({ own: new Own(), kept: 1 }, LIMIT).lost, ["own"]);
    assert.deepEqual(restored(made), { kept: 1 });
  });
});
