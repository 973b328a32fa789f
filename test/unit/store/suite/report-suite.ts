import assert from "node:assert/strict";
import type { Call, Engine } from "../../../../lib/store/engine/engine";
import { call, rowsOf } from "../../../../lib/store/engine/query";
import {
  delaySeconds,
  firstTaken,
  optOutTimes,
  type ReportCounts,
  type ReportDay,
  reportCounts,
} from "../../../../lib/store/history/report-counts";
import { statement } from "../../../../lib/store/schema/statement";
import { answered, newEvent, type OpenStore, takeJob, useFixture } from "./store-under-test";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const KEPT = statement(
  "test_report_kept",
)`SELECT starts FROM day_counts WHERE counts LIKE '{%' ORDER BY starts`;
const LEFT = statement("test_report_left")`UPDATE requests SET left_at = ?2 WHERE id = ?1`;

/** What became of the messages of a period. */
export function reportSuite(open: OpenStore): void {
  const { clock, engine, store, me } = useFixture(open);

  const dayOf = (at: number): ReportDay => {
    const starts = Math.floor(at / DAY) * DAY;
    return { starts, ends: starts + DAY, from: starts, to: starts + DAY };
  };
  const ask = (days: readonly ReportDay[], of: Engine = engine): Promise<readonly ReportCounts[]> =>
    reportCounts(of, "a1", days, clock.time);
  const kept = async (): Promise<readonly number[]> =>
    (await rowsOf(engine, KEPT)).map(({ starts }) => Number(starts));
  const totals = (counts: readonly ReportCounts[]): Record<string, number> => {
    const all: Record<string, number> = {};
    for (const { outcome, delivery, count } of counts.flatMap(({ people }) => people)) {
      const key = `${outcome} ${delivery}`;
      all[key] = (all[key] ?? 0) + count;
    }
    return all;
  };

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
  const delivered = (
    id: number,
    at: number,
    number = "41790000001",
    status = "delivered",
  ): Promise<unknown> =>
    store.deliveries.note("a1", [newEvent({ transferId: `t${id}`, number, status, at })]);

  describe("a report", () => {
    it("counts people by hour, node, channel, outcome, reason and status, what was billed, how long it took, and replies", async () => {
      const { starts } = dayOf(clock.time);
      clock.time = starts + 2 * HOUR;
      const first = await ended({ answer: '{"statusCode":2000,"smsCount":4,"said":"x"}' }, ["1", "2"], {
        node: "n1",
      });
      await engine.run([call(LEFT, first, clock.time)]);
      await delivered(first, clock.time + 42_999, "1");
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
      const [{ people, delays, replies } = {} as ReportCounts] = await ask([dayOf(clock.time)]);
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
      assert.deepEqual(delays, [{ node: "n1", channel: "sms", bucket: 42, count: 1 }]);
      assert.deepEqual(replies, [{ hour: 5, count: 1 }]);
      assert.equal(await firstTaken(engine, "a1"), starts + 2 * HOUR);
      assert.equal(await firstTaken(engine, "nobody"), null);
    });

    it("counts a part of a day, to the millisecond", async () => {
      const times = [0, 1, 2, 3].map((ms) => clock.time + ms);
      for (const at of times) {
        clock.time = at;
        await ended({});
      }
      const [from = 0, , , to = 0] = times;
      const day = dayOf(from);
      assert.deepEqual(totals(await ask([{ ...day, from: from + 1, to }])), { "sent null": 2 });
    });

    it("counts a day that is over once, and again after an event about it", async () => {
      const first = dayOf(clock.time);
      const id = await ended({});
      clock.time += DAY;
      await ended({});
      const days = [first, dayOf(clock.time)];
      const [counted] = await ask(days);
      assert.deepEqual(await kept(), [first.starts], "the day of today goes on");
      const again = await ask(days);
      assert.deepEqual(again[0], counted, "what was kept is what was counted");
      assert.deepEqual(totals(again), { "sent null": 2 });

      // What was counted is not read again.
      const ran: string[] = [];
      const watched = new Proxy(engine, {
        get: (target, name) =>
          name === "read" || name === "run"
            ? (calls: readonly Call[]) => {
                ran.push(...calls.map((each) => each.statement.name));
                return target[name](calls);
              }
            : Reflect.get(target, name),
      });
      assert.deepEqual(totals(await ask([first], watched)), { "sent null": 1 });
      assert.deepEqual(ran, ["report_known"]);

      await delivered(id, clock.time);
      assert.deepEqual(await kept(), []);
      assert.deepEqual(totals(await ask(days)), { "sent delivered": 1, "sent null": 1 });
      await store.deliveries.note("a2", [newEvent({ transferId: `t${id}` })]);
      assert.deepEqual(await kept(), [first.starts], "an event of another account is about something else");
    });

    it("keeps nothing of a day of which something is under way, or has changed while it was counted", async () => {
      const day = dayOf(clock.time);
      const id = await ended({});
      const [open = 0] = await takeJob(store, 1);
      clock.time += DAY;
      await ask([day]);
      assert.deepEqual(await kept(), [], "one message waits");
      await store.claims.claim("a1", me, 1);
      await store.settlements.settle(me, [answered(open, { emitted: true })]);
      let told = false;
      const racing = new Proxy(engine, {
        get: (target, name) =>
          name === "read"
            ? async (calls: readonly Call[]) => {
                const rows = await target.read(calls);
                if (!told && calls.some((each) => each.statement.name === "report_counted")) {
                  told = true;
                  await delivered(id, clock.time);
                }
                return rows;
              }
            : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
      });
      assert.deepEqual(totals(await ask([day], racing)), { "sent null": 2 });
      assert.deepEqual(await kept(), []);
      assert.deepEqual(totals(await ask([day])), { "sent delivered": 1, "sent null": 1 });
      assert.deepEqual(await kept(), [day.starts]);
    });

    it("counts an account anew to which old messages were moved, and forgets days at their age", async () => {
      const day = dayOf(clock.time);
      await ended({});
      clock.time += DAY;
      await ask([day]);
      await store.moves.arrive("a1", me, {
        id: "place-move",
        jobs: [],
        requests: [],
        optOuts: [],
        onceKeys: [],
      } as never);
      assert.deepEqual(await kept(), []);
      await ask([day]);
      await store.retention.deleteOld("a1", DAY);
      assert.deepEqual(await kept(), [day.starts]);
      clock.time += DAY;
      await store.retention.deleteOld("a2", DAY);
      assert.deepEqual(await kept(), [day.starts]);
      await store.retention.deleteOld("a1", DAY);
      assert.deepEqual(await kept(), []);
    });

    it("counts page by page what is more than a page", async () => {
      const jobs = 210;
      for (let at = 0; at < jobs; at++) {
        clock.time += at % 3;
        await takeJob(store, 1);
      }
      assert.deepEqual(totals(await ask([dayOf(clock.time)])), { "null null": jobs });
    });

    it("has when people opted out, and says how long a bucket took", async () => {
      const list = store.optOuts("a1");
      await list.add(["1"], "all", "inbound");
      clock.time += 5;
      await list.add(["2"], "all", "inbound");
      const from = clock.time;
      assert.deepEqual(await optOutTimes(engine, "a1", { from, to: from + 1 }, 10), [from]);
      assert.equal((await optOutTimes(engine, "a1", { from: 0, to: from + 1 }, 10)).length, 2);
      assert.equal((await optOutTimes(engine, "a1", { from: 0, to: from + 1 }, 1)).length, 1);
      assert.deepEqual(
        [0, 59, 61, 119, 121, 143, 151].map(delaySeconds),
        [0, 59, 60, 3_540, 3_600, 82_800, 86_400],
      );
    });
  });
}
