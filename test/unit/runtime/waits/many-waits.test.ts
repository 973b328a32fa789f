import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { REAL_TIMING } from "../../../../lib/gateway/http/timing";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { collect } from "../../../support/small-collections";
import { waitFor } from "../../../support/wait-for";
import { useFolder } from "../../store/use-folder";
import { HOUR, TestNode, WaitingProcess } from "./waiting-process";

const WAITS = 100_000;
const AT_ONCE = 100;
const MB = 2 ** 20;
const text = "Your parcel is on its way. ".repeat(10);

const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;

/** Bytes that are in use: of the heap, of buffers, and of the process with its threads. */
async function inUse(): Promise<{ own: number; all: number }> {
  await new Promise((resolve) => setImmediate(resolve));
  collect("everything");
  const { heapUsed, external, rss } = process.memoryUsage();
  return { own: heapUsed + external, all: rss };
}

describe("a hundred thousand messages that wait", () => {
  const folder = useFolder();

  it("cost at most 50 MB and one timer, and still end one by one", async () => {
    const { engine, release } = await shareSqlite(folder());
    const waiting = await WaitingProcess.start(engine, REAL_TIMING);
    const node = new TestNode();
    waiting.waits.join("n1", node);
    const first = await waiting.wait(["41790000001"]);
    await waiting.settle();
    const before = await inUse();
    const timersBefore = timers();

    for (let begun = 0; begun < WAITS; begun += AT_ONCE) {
      const transferId = await waiting.send([`4178${String(begun).padStart(7, "0")}`]);
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, at) => {
          const msg = {
            _msgid: `m${begun + at}`,
            payload: text,
            topic: `order ${begun + at}`,
          } as NodeMessage;
          return waiting.begin(transferId, { until: Date.now() + 24 * HOUR + at, msg });
        }),
      );
      if ((begun + AT_ONCE) % 20000 === 0)
        console.log(
          begun,
          ((await inUse()).all - before.all) / MB,
          ((await inUse()).own - before.own) / MB,
          Math.round(performance.now()),
        );
    }
    waiting.calls.length = 0;
    await waiting.settle();
    assert.equal(node.open, WAITS + 1);
    const after = await inUse();
    const [own, all] = [(after.own - before.own) / MB, (after.all - before.all) / MB];
    console.log(own, all, timers(), timersBefore);
    assert.ok(own <= 50, `${own} MB of the heap`);
    assert.ok(all <= 50, `${all} MB of the process`);
    assert.equal(timers(), timersBefore);

    await waiting.hear([{ transferId: first, number: "41790000001", status: "delivered" }]);
    await waitFor("the end", () => node.ends.length === 1);
    await waiting.end();
    assert.equal(timers(), timersBefore - 1);
    await release();
  }).timeout(300_000);
});
