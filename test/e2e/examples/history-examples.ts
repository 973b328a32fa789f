import assert from "node:assert/strict";
import { join } from "node:path";
import { answered, newEvent, takeJob } from "../../unit/store/suite/store-under-test";
import { fillStore } from "../../support/fill-store";
import type { ExampleCheck } from "../../support/node-red/example-run";

const HOUR = 3_600_000;
/** Below the user directory, so that it goes with it. */
const FOLDER = "history-of-example";

/** Messages of yesterday and the day before, as they stand in the store after a restart. */
const fillHistory = (folder: string, account: string): Promise<void> =>
  fillStore(folder, async ({ store, clock, me, instances }) => {
    const now = clock.time;
    const of = { account, channel: "SMS", resultOwner: me };
    for (const [hoursAgo, transferId] of [
      [30, "t1"],
      [20, "t2"],
    ] as const) {
      clock.time = now - hoursAgo * HOUR;
      const [id = 0] = await takeJob(store, [{ recipients: ["41790000001", "41790000002"] }], of);
      await store.claims.claim(account, me, 1);
      await store.settlements.settle(me, [answered(id, { transferId, emitted: true })]);
      await store.deliveries.note(account, [newEvent({ transferId, number: "41790000001" })]);
    }
    const [refused = 0] = await takeJob(store, [{}], { ...of, channel: "WhatsApp" });
    await store.claims.claim(account, me, 1);
    await store.settlements.settle(me, [answered(refused, { outcome: "denied", emitted: true })]);
    await instances.leave();
  });

/** What the examples that look back must do, by file name. */
export const HISTORY_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "15 - Nightly summary by outcome and delivery": async (run) => {
    const { nodeRed, account } = run;
    await fillHistory(join(nodeRed.folder, FOLDER), account);
    await run.deploy({ "messaging-account": { storeFolder: FOLDER } });
    await run.press("Summary now");
    const [summary, ...more] = await run.leaving("Table");
    assert.deepEqual(more, []);
    const time = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";
    assert.match(
      String(summary?.msg.payload),
      new RegExp(`^Messages from ${time} to ${time}: 3\n\n\\| channel `),
    );
    assert.deepEqual(String(summary?.msg.payload).trim().split("\n").slice(4), [
      "| SMS | sent | delivered | 1 |",
      "| SMS | sent | none | 1 |",
      "| WhatsApp | denied | none | 1 |",
    ]);

    await run.press("Send to four people");
    const [left] = await run.leaving("Send SMS");
    assert.equal(left?.to, run.id("Accepted"));
    const [taken] = await run.taken();
    assert.equal(taken?.recipients.length, 4);

    await run.press("Summary now");
    const [later] = await run.leaving("Table");
    assert.match(String(later?.msg.payload), /: 7\n/, "what was sent just now is counted too");
  },
};
