import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { REAL_TIMING } from "../../../../lib/gateway/http/timing";
import type { Engine } from "../../../../lib/store/engine/engine";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { statement } from "../../../../lib/store/schema/statement";
import { collect } from "../../../support/small-collections";
import { waitFor } from "../../../support/wait-for";
import { useFolder } from "../../store/use-folder";
import { HOUR, storeBackend, TestNode, WaitingProcess } from "./waiting-process";

/** Waits that begin one by one, and times that each of them is in the store then. */
const BEGUN = 10_000;
const TIMES = 10;
const AT_ONCE = 500;
const MOST_BYTES = 50 * 2 ** 20;

const COPY_WAITS = statement(
  "test_copy_waits",
  () => `INSERT INTO waits (wait_key, account, node, result_owner, kind, channel, request, begun_at, until, phase, group_key, recipients, open,
      left_count, snapshot)
    SELECT wait_key || '-' || ?1, account, node, result_owner, kind, channel, request, begun_at, until + ?1, phase, group_key, recipients, open,
      left_count, snapshot FROM waits WHERE id <= ?2`,
);
const COPY_RECIPIENTS = statement(
  "test_copy_wait_recipients",
  () => `INSERT INTO wait_recipients (wait, place, account, request, number, needs, asks, channel, replaced, wrote)
    SELECT c.id, w.place, w.account, w.request, w.number, w.needs, w.asks, w.channel, w.replaced, w.wrote
    FROM waits a JOIN waits c ON c.wait_key = a.wait_key || '-' || ?1 JOIN wait_recipients w ON w.wait = a.id WHERE a.id <= ?2`,
);

async function copyAll(engine: Engine): Promise<void> {
  for (let time = 1; time < TIMES; time++) {
    await engine.run([
      { statement: COPY_WAITS, values: [time, BEGUN] },
      { statement: COPY_RECIPIENTS, values: [time, BEGUN] },
    ]);
  }
}

const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;

/** Bytes that this thread has in use. What the thread of SQLite has does not depend on the number of rows. */
async function inUse(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  collect("everything");
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("a hundred thousand messages that wait", () => {
  const folder = useFolder();

  it("cost at most 50 MB and one timer, those that have begun and those of a former life", async () => {
    const { engine, release } = await shareSqlite(folder());
    const idle = timers();
    const first = await WaitingProcess.start(storeBackend(engine, REAL_TIMING), REAL_TIMING);
    const node = new TestNode();
    first.waits.join("n1", node);
    await first.settle();
    const before = await inUse();
    for (let begun = 0; begun < BEGUN; begun += AT_ONCE) {
      const transferId = await first.send([`4178${String(begun).padStart(7, "0")}`]);
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, at) => {
          const msg = { _msgid: `m${begun + at}`, payload: "Your parcel is on its way. ".repeat(10) };
          return first.begin(transferId, { until: Date.now() + 24 * HOUR + at, msg: msg as NodeMessage });
        }),
      );
    }
    first.calls.length = 0;
    await first.settle();
    assert.equal(node.open, BEGUN);
    const each = ((await inUse()) - before) / BEGUN;
    assert.ok(each * BEGUN * TIMES <= MOST_BYTES, `${each} bytes for each`);
    assert.equal(timers(), idle + 1);
    await first.end();
    assert.equal(timers(), idle);

    await copyAll(engine);
    const later = await WaitingProcess.start(storeBackend(engine, REAL_TIMING), REAL_TIMING);
    const empty = await inUse();
    const next = new TestNode();
    later.waits.join("n1", next);
    await waitFor("all of them", () => next.open === BEGUN * TIMES);
    const all = (await inUse()) - empty;
    assert.ok(all <= MOST_BYTES, `${all} bytes for all`);
    await waitFor("the timer", () => timers() === idle + 1);

    const transferId = await later.wait(["41790000001"]);
    await later.received([{ transferId, number: "41790000001", status: "delivered" }]);
    await waitFor("an end", () => next.ends.length === 1);
    await later.end();
    await release();
  });
});
