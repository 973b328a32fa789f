import assert from "node:assert/strict";
import { localVerdict } from "../../../../../lib/gateway/codec/verdict";
import { answerOf } from "../../../../../lib/gateway/queue/stored-content";
import { recentOfAccount, recentOfNode } from "../../../../../lib/store/history/recent-counts";
import { answered, newEvent, type OpenStore, takeJob, useFixture } from "../store-under-test";

/** What an account and a node have done lately. */
export function recentSuite(open: OpenStore): void {
  const { clock, keeping: store, me } = useFixture(open);

  /** A message for each outcome whose result has left its node. */
  async function emitted(
    ends: readonly Parameters<typeof answered>[1][],
    job: Parameters<typeof takeJob>[2] = {},
    recipients = 1,
  ): Promise<void> {
    const ids = await takeJob(
      store,
      ends.map((_end, at) => ({
        recipients: Array.from({ length: recipients }, (_unused, place) => `${at}${place}`),
      })),
      job,
    );
    await store.claims.claim(job.account ?? "a1", me, ends.length);
    await store.settlements.settle(
      me,
      ids.map((id, at) => answered(id, { emitted: true, ...ends[at] })),
    );
  }
  const minute = (): number => Math.floor(clock.time / 60_000);
  const period = (most = 100) => ({ account: "a1", from: clock.time - 100_000, to: clock.time, most });

  describe("what was done lately", () => {
    it("is counted by outcome and minute of the last hour, with events, of one account and time", async () => {
      const skipped = localVerdict("ALREADY_SENT");
      await emitted([{ outcome: "sent" }], { account: "a1" });
      await store.deliveries.note("a1", [newEvent({ transferId: "old" })]);
      clock.pass(3_700_000);
      const early = clock.time;
      await emitted([{ outcome: "sent" }, { outcome: "sent" }], {}, 3);
      clock.pass(3_500_000);
      const later = minute();
      await emitted([
        { outcome: "rejected", transferId: null },
        { outcome: skipped.outcome, answer: answerOf("sms-form", skipped, false, false) },
      ]);
      await emitted([{ outcome: "sent" }], { account: "a2" });
      await store.deliveries.note("a1", [newEvent({ transferId: "t8" }), newEvent({ transferId: "t9" })]);
      await store.deliveries.note("a2", [newEvent({ transferId: "t8" })]);
      await takeJob(store, [{ recipients: ["7"] }]);
      clock.pass(200_000);
      const to = clock.time;
      await emitted([{ outcome: "unknown" }]);
      const asked = { account: "a1", from: early, to, most: 100 };
      const { people, events } = await recentOfAccount(store.engine, asked);
      assert.deepEqual(
        people.counts.map((each) => [each.outcome, each.minute, each.count]).sort(),
        [
          ["rejected", later, 1],
          ["sent", null, 6],
          ["skipped", later, 1],
        ].sort(),
      );
      assert.deepEqual(
        events.counts.map((each) => [each.minute, each.count]),
        [[later, 2]],
      );
      assert.deepEqual([people.since, events.since], [early, early]);
    });

    it("is counted of a node with the reasons of its failures", async () => {
      const refused = { outcome: "rejected", transferId: null } as const;
      await emitted([{ outcome: "sent" }, refused, refused], { node: "n1" });
      await emitted([{ outcome: "sent" }], { node: "n2" });
      await emitted([{ outcome: "sent" }], { node: "n1", account: "a2" });
      clock.pass(10);
      const { counts, since } = await recentOfNode(store.engine, "n1", period());
      const { answer } = answered(1, refused);
      assert.deepEqual(
        counts.map((each) => [each.outcome, each.operation, each.answer, each.count]).sort(),
        [
          ["rejected", "sms.simple", answer, 2],
          ["sent", "sms.simple", null, 1],
        ].sort(),
      );
      assert.equal(since, clock.time - 100_000);
    });

    it("is that of the newest people where there are more than are counted, and since these", async () => {
      await emitted([{ outcome: "sent" }]);
      clock.pass(1_000);
      const second = clock.time;
      await emitted([{ outcome: "sent" }], {}, 3);
      clock.pass(1_000);
      await emitted([{ outcome: "sent" }]);
      clock.pass(10);
      const { people } = await recentOfAccount(store.engine, period(3));
      assert.equal(
        people.counts.reduce((sum, { count }) => sum + count, 0),
        3,
      );
      assert.equal(people.since, second);
      assert.equal((await recentOfNode(store.engine, "n1", period(3))).since, second);
    });
  });
}
