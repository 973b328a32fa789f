import assert from "node:assert/strict";
import { call } from "../../../../../lib/store/engine/query";
import {
  type DayCounts,
  delaySeconds,
  type HourCount,
  type ReportDay,
} from "../../../../../lib/store/history/report-counts";
import { countDays, firstOf } from "../../../../../lib/store/history/report-days";
import { statement } from "../../../../../lib/store/schema/statement";
import { answered, newEvent, type OpenStore, takeJob, useFixture } from "../store-under-test";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LEFT = statement("test_report_left")`UPDATE requests SET left_at = ?2 WHERE id = ?1`;

/** What became of the messages of a period. */
export function reportSuite(open: OpenStore): void {
  const { clock, engine, store, me } = useFixture(open);

  const dayOf = (at: number): ReportDay => {
    const starts = Math.floor(at / DAY) * DAY;
    return { starts, ends: starts + DAY, from: starts, to: starts + DAY };
  };
  async function ask(day: ReportDay): Promise<DayCounts> {
    for await (const { counts } of countDays(engine, "a1", [day], await firstOf(engine, "a1"), clock.time)) {
      return counts;
    }
    return assert.fail("the day has no counts");
  }
  const sum = ({ people }: DayCounts): number => people.reduce((all, { count }) => all + count, 0);

  /** A message that has ended. @returns its id */
  async function ended(
    given: Partial<ReturnType<typeof answered>>,
    recipients: readonly string[] = ["41790000001"],
    job: Parameters<typeof takeJob>[2] = {},
  ): Promise<number> {
    const [id = 0] = await takeJob(store, [{ recipients }], job);
    await store.claims.claim(job.account ?? "a1", me, 1);
    await store.settlements.settle(me, [answered(id, { emitted: true, transferId: `t${id}`, ...given })]);
    return id;
  }

  describe("a report", () => {
    it("counts people by hour, node, channel, outcome, reason and status, what was billed, how long it took, and replies", async () => {
      const { starts } = dayOf(clock.time);
      clock.time = starts + 2 * HOUR;
      const first = await ended({ answer: '{"statusCode":2000,"smsCount":4,"said":"x"}' }, ["1", "2"], {
        node: "n1",
      });
      await engine.run([call(LEFT, first, clock.time)]);
      const delivery = { transferId: `t${first}`, number: "1", status: "delivered", at: clock.time + 42_999 };
      await store.deliveries.note("a1", [newEvent(delivery)]);
      clock.time += 3 * HOUR;
      await ended({ outcome: "rejected", answer: '{"outcome":"rejected","statusCode":4031}' }, ["3"], {
        node: "n2",
      });
      await ended(
        { outcome: "retry-later", answer: '{"fault":"CONNECT_FAILED","outcome":"retry-later"}' },
        ["4"],
        { node: "n2", channel: "RCS" },
      );
      await ended({ outcome: "rejected", answer: '{"fault":"OPTED_OUT"}' }, ["5"], { node: "n2" });
      await ended({}, ["6"], { account: "a2" });
      await store.deliveries.note("a1", [newEvent({ kind: "inbound", status: null })]);
      await store.deliveries.note("a2", [newEvent({ kind: "inbound", status: null })]);
      await takeJob(store, 1, { node: "n3" });
      const { people, delays, replies } = await ask(dayOf(clock.time));
      const shown = people.map((each) => [
        each.hour,
        each.node,
        each.channel,
        each.outcome,
        each.code ?? each.fault,
        each.delivery,
        each.count,
        each.segments,
      ]);
      assert.deepEqual(
        shown.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
        [
          [2, "n1", "sms", "sent", null, "delivered", 1, 4],
          [2, "n1", "sms", "sent", null, null, 1, 0],
          [5, "n2", "RCS", "retry-later", "CONNECT_FAILED", null, 1, 0],
          [5, "n2", "sms", "rejected", 4031, null, 1, 0],
          [5, "n2", "sms", "skipped", "OPTED_OUT", null, 1, 0],
          [5, "n3", "sms", null, null, null, 1, 0],
        ],
      );
      assert.deepEqual(delays, [{ node: "n1", channel: "sms", outcome: "sent", bucket: 42, count: 1 }]);
      assert.deepEqual(replies, [{ hour: 5, count: 1 }]);
      assert.equal(await firstOf(engine, "a1"), starts + 2 * HOUR);
      assert.equal(await firstOf(engine, "nobody"), null);
    });

    it("counts a part of a day, to the millisecond", async () => {
      const times = [0, 1, 2, 3].map((ms) => clock.time + ms);
      for (const at of times) {
        clock.time = at;
        await ended({});
      }
      const [from = 0, , , to = 0] = times;
      const day = dayOf(from);
      assert.equal(sum(await ask({ ...day, from: from + 1, to })), 2);
    });

    it("counts page by page what is more than a page", async () => {
      const jobs = 210;
      for (let at = 0; at < jobs; at++) {
        clock.time += at % 3;
        await takeJob(store, 1);
      }
      assert.equal(sum(await ask(dayOf(clock.time))), jobs);
    });

    it("has when people opted out and wrote, in the part that is asked for, and says how long a bucket took", async () => {
      const list = store.optOuts("a1");
      const day = dayOf(clock.time);
      const optOuts = async (asked: ReportDay): Promise<readonly HourCount[]> => {
        for await (const counted of countDays(engine, "a1", [asked], day.starts, clock.time)) {
          return counted.optOuts;
        }
        return [];
      };
      const write = (): Promise<unknown> =>
        store.deliveries.note("a1", [newEvent({ kind: "inbound", status: null })]);
      clock.time = day.starts + 14 * HOUR;
      await list.add(["1"], "all", "inbound");
      await write();
      clock.time += HOUR + 5;
      await list.add(["2", "3"], "all", "inbound");
      await write();
      const from = clock.time;
      assert.deepEqual(await optOuts(day), [
        { hour: 14, count: 1 },
        { hour: 15, count: 2 },
      ]);
      assert.deepEqual(await optOuts({ ...day, from, to: from + 1 }), [{ hour: 15, count: 2 }]);
      assert.deepEqual(await optOuts({ ...day, to: from }), [{ hour: 14, count: 1 }]);
      const { replies } = await ask({ ...day, from });
      assert.deepEqual(replies, [{ hour: 15, count: 1 }]);
      assert.deepEqual(
        [0, 59, 61, 119, 121, 143, 151].map(delaySeconds),
        [0, 59, 60, 3_540, 3_600, 82_800, 86_400],
      );
    });
  });
}
