import assert from "node:assert/strict";
import { call } from "../../../../../lib/store/engine/query";
import type { ReportDay } from "../../../../../lib/store/history/days-of-zone";
import {
  countInbound,
  countOutcomes,
  delaySeconds,
  getFirst,
  type ReportCount,
} from "../../../../../lib/store/history/report-counts";
import { statement } from "../../../../../lib/store/schema/statement";
import { answered, newEvent, type OpenStore, takeJob, useFixture } from "../store-under-test";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LEFT = statement("test_report_left")`UPDATE messages SET sent_at = ?2 WHERE id = ?1`;

/** What became of the messages of a period. */
export function reportSuite(open: OpenStore): void {
  const { clock, engine, store, me } = useFixture(open);

  const dayOf = (at: number): ReportDay => {
    const starts = Math.floor(at / DAY) * DAY;
    return { starts, ends: starts + DAY, from: starts, to: starts + DAY };
  };
  async function count(day: ReportDay): Promise<readonly ReportCount[]> {
    const all: ReportCount[] = [];
    for await (const counts of countOutcomes(engine, "a1", [day], "hour")) {
      all.push(...counts);
    }
    return all;
  }
  const sum = (counts: readonly ReportCount[]): number => counts.reduce((all, { count: n }) => all + n, 0);

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
    it("counts recipients by hour, node, channel, outcome, reason, status and delay, and replies", async () => {
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
      const day = dayOf(clock.time);
      const shown = (await count(day)).map((each) => [
        (each.step - starts) / HOUR,
        each.node,
        each.channel,
        each.outcome,
        each.code ?? each.fault,
        each.delivery,
        each.bucket,
        each.count,
        each.segments,
      ]);
      assert.deepEqual(
        shown.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
        [
          [2, "n1", "sms", "sent", null, "delivered", 42, 1, 4],
          [2, "n1", "sms", "sent", null, null, null, 1, 0],
          [5, "n2", "RCS", "retry-later", "CONNECT_FAILED", null, null, 1, 0],
          [5, "n2", "sms", "rejected", 4031, null, null, 1, 0],
          [5, "n2", "sms", "skipped", "OPTED_OUT", null, null, 1, 0],
          [5, "n3", "sms", null, null, null, null, 1, 0],
        ],
      );
      const { replies } = await countInbound(engine, "a1", day, "hour");
      assert.deepEqual(replies, [{ step: starts + 5 * HOUR, count: 1 }]);
      assert.equal(await getFirst(engine, "a1", "a1"), starts + 2 * HOUR);
      assert.equal(await getFirst(engine, "nobody", "nobody"), null);
    });

    it("counts a part of a day, to the millisecond", async () => {
      const times = [0, 1, 2, 3].map((ms) => clock.time + ms);
      for (const at of times) {
        clock.time = at;
        await ended({});
      }
      const [from = 0, , , to = 0] = times;
      const day = dayOf(from);
      assert.equal(sum(await count({ ...day, from: from + 1, to })), 2);
    });

    it("counts each recipient once when a day needs several statements", async () => {
      const people = Array.from({ length: 1_000 }, (_, at) => `41${at + 10_000_000}`);
      await takeJob(store, 3);
      clock.time += 1;
      await takeJob(store, new Array(11).fill({ recipients: people }));
      await takeJob(store, 4);
      clock.time += 1;
      for (let job = 0; job < 11; job++) {
        await takeJob(store, [{ recipients: people }]);
      }
      clock.time += HOUR;
      await takeJob(store, 5);
      assert.equal(sum(await count(dayOf(clock.time))), 22_012);
    });

    it("counts replies and opt-outs in the asked part of a day, and converts delays", async () => {
      const list = store.optOuts("a1");
      const day = dayOf(clock.time);
      const write = (): Promise<unknown> =>
        store.deliveries.note("a1", [newEvent({ kind: "inbound", status: null })]);
      const inbound = async (asked: ReportDay, step: "day" | "hour" = "hour") => {
        const { replies, optOuts } = await countInbound(engine, "a1", asked, step);
        return [replies, optOuts].map((all) =>
          all.map((each) => [(each.step - day.starts) / HOUR, each.count]).sort(([a = 0], [b = 0]) => a - b),
        );
      };
      clock.time = day.starts + 14 * HOUR;
      await list.add(["1"], "all", "inbound");
      await write();
      clock.time += HOUR + 5;
      await list.add(["2", "3"], "all", "inbound");
      await write();
      const from = clock.time;
      assert.deepEqual(await inbound(day), [
        [
          [14, 1],
          [15, 1],
        ],
        [
          [14, 1],
          [15, 2],
        ],
      ]);
      assert.deepEqual(await inbound(day, "day"), [[[0, 2]], [[0, 3]]]);
      assert.deepEqual(await inbound({ ...day, from, to: from + 1 }), [[[15, 1]], [[15, 2]]]);
      assert.deepEqual(await inbound({ ...day, to: from }), [[[14, 1]], [[14, 1]]]);
      assert.deepEqual(
        [0, 59, 61, 119, 121, 143, 151].map(delaySeconds),
        [0, 59, 60, 3_540, 3_600, 82_800, 86_400],
      );
    });
  });
}
