import assert from "node:assert/strict";
import { answerQuery } from "../../../../lib/runtime/log/log-answer";
import { viewReport } from "../../../../lib/runtime/log/view-report";
import type { AccountStore } from "../../../../lib/runtime/store/open-store";
import { Busy } from "../../../../lib/shared/async/turns";

/** A store that is read when `fail` is called, and fails then. */
function storeThatFails() {
  let [reads, fail] = [0, (): void => {}];
  const read = (): Promise<never> => {
    reads++;
    return new Promise((_resolve, reject) => {
      fail = () => reject(new Error("read"));
    });
  };
  const kept = { account: "a1", store: { engine: { read } } } as unknown as AccountStore;
  return { kept, reads: () => reads, fail: () => fail() };
}

const ASKED = { period: "today", step: "day" } as const;

describe("reports for the sidebar", () => {
  it("are counted one after the other, and not for who has left meanwhile", async () => {
    const [first, second, third] = [storeThatFails(), storeThatFails(), storeThatFails()];
    const view = ({ kept }: typeof first, isThere = () => true) =>
      viewReport(kept, "UTC", ASKED, (make) => make(), isThere);
    let isThere = true;
    const asked = [view(first), view(second, () => isThere), view(third)];
    const results = Promise.allSettled(asked);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([first.reads(), second.reads(), third.reads()], [1, 0, 0]);
    isThere = false;
    first.fail();
    await asked[0]?.catch(() => {});
    await asked[1]?.catch((error: unknown) => assert.ok(error instanceof Busy));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([second.reads(), third.reads()], [0, 1]);
    third.fail();
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ["rejected", "rejected", "rejected"],
    );
  });

  it("take turns with those of flows, of which none is refused", async () => {
    const [first, second] = [storeThatFails(), storeThatFails()];
    const all = { node: undefined, channel: undefined, outcome: undefined };
    const query = { kind: "report", from: 0, to: 1, step: "day", ...all } as const;
    const ask = ({ kept }: typeof first) =>
      answerQuery(kept.store, "a1", query, "UTC", 1).catch((error: Error) => error.message);
    const view = viewReport(first.kept, "UTC", ASKED, (make) => make()).catch(() => {});
    const flows = Array.from({ length: 25 }, () => ask(second));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([first.reads(), second.reads()], [1, 0]);
    first.fail();
    await view;
    for (const flow of flows) {
      await new Promise((resolve) => setImmediate(resolve));
      second.fail();
      assert.equal(await flow, "read");
    }
    assert.equal(second.reads(), 25);
  });

  it("are refused where too many wait", async () => {
    const store = storeThatFails();
    let isThere = true;
    const all = Array.from({ length: 25 }, () =>
      viewReport(
        store.kept,
        "UTC",
        ASKED,
        (make) => make(),
        () => isThere,
      ).catch((error: unknown) => error),
    );
    assert.ok((await all.at(-1)) instanceof Busy);
    isThere = false;
    store.fail();
    await Promise.all(all);
    assert.equal(store.reads(), 1);
  });
});
