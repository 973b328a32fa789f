import assert from "node:assert/strict";
import { call } from "../../../../../lib/store/engine/query";
import {
  type DayCounts,
  delaySeconds,
  type HourCount,
  type ReportDay,
} from "../../../../../lib/store/history/report-counts";
import { countDays, firstOf } from "../../../../../lib/store/history/report-days";
import { each } from "../../../../../lib/store/schema/sql";
import { statement } from "../../../../../lib/store/schema/statement";
import { answered, newEvent, newJob, newRequest, type OpenStore, takeJob } from "../store-under-test";
import { DAY, HOUR, useReports } from "./reports-under-test";

const MANY_JOBS = statement("test_report_many_jobs")`
    INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed)
    SELECT 'k' || (e.value ->> 0), 'a1', 'n' || (e.value ->> 0), 'i1', 'sms', CAST(e.value ->> 0 AS bigint), 1 FROM ${each("?1")}`;
const MANY_REQUESTS = statement("test_report_many_requests")`
    INSERT INTO requests (job, part, account, operation, state, priority, attempts, outcome)
    SELECT j.id, 0, 'a1', 'sms', 'emitted', 0, 1, 'sent' FROM jobs j`;
const MANY_RECIPIENTS = statement("test_report_many_recipients")`
    INSERT INTO recipients (request, place, number, delivery_rank) SELECT r.id, 0, '41790000001', 0 FROM requests r`;
const LEFT = statement("test_report_left")`UPDATE requests SET left_at = ?2 WHERE id = ?1`;
/** People that a statement counts at most. */
const MOST = 20_000;

/** What became of the messages of a period. */
export function reportSuite(open: OpenStore): void {
  const { clock, engine, store, me, dayOf, ask, watch, totals, ended, delivered } = useReports(open);

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
      const [{ people, delays, replies } = {} as DayCounts] = await ask([dayOf(clock.time)]);
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

    it("counts what was billed for a request whose first person was divided off or deleted", async () => {
      await takeJob(store, [{ recipients: ["1", "2", "3"] }]);
      const [request] = await store.claims.claim("a1", me, 1);
      const group = {
        recipients: ["1"],
        settled: { outcome: "rejected" as const, answer: '{"fault":"OPTED_OUT"}' },
        until: null,
      };
      assert.ok(await store.divisions.divide(request!, "a1", me, [group], true));
      const [rest] = await store.claims.claim("a1", me, 1);
      const answer = '{"statusCode":2000,"smsCount":2}';
      await store.settlements.settle(me, [answered(rest!.id, { answer, emitted: true })]);
      const segments = async (): Promise<readonly (readonly [unknown, number, number])[]> =>
        (await ask([dayOf(clock.time)])).flatMap(({ people }) =>
          people.map((each) => [each.outcome, each.count, each.segments] as const),
        );
      const divided = await segments();
      assert.deepEqual(divided.find(([outcome]) => outcome === "skipped")?.[1], 1);
      const billed = (all: typeof divided): number => all.reduce((sum, [, , each]) => sum + each, 0);
      assert.equal(billed(divided), 2);
      await store.retention.deleteNumber("2");
      assert.equal(billed(await segments()), 2);
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

    it("counts no more people in one statement than it may, whatever the size of a message", async () => {
      const people = (many: number, at: number): string[] =>
        Array.from(
          { length: many },
          (_unused, each) => `417${(at * 1_000 + each).toString().padStart(8, "0")}`,
        );
      const parts = 25;
      for (let job = 0; job < 2; job++) {
        // Before and behind a long list are messages to one person.
        await takeJob(store, 1);
        const list = newJob();
        await store.jobs.begin(list);
        for (let part = 0; part < parts; part++) {
          await store.jobs.add(list.key, [newRequest({ part, recipients: people(1_000, part) })]);
        }
        await store.jobs.seal(list.key, list.account);
      }
      let [most, statements] = [0, 0];
      const watching = watch(
        () => {},
        (calls, [rows = []]) => {
          if (calls[0]?.statement.name === "report_counted") {
            statements++;
            most = Math.max(
              most,
              rows.reduce((sum, { count }) => sum + Number(count), 0),
            );
          }
        },
      );
      assert.deepEqual(totals(await ask([dayOf(clock.time)], watching)), {
        "null null": 2 + 2 * parts * 1_000,
      });
      assert.ok(most <= MOST + 1, `${most} people`);
      assert.ok(statements < 20, `${statements} statements`);
    });

    it("reads a page with no more rows than hold the event loop for some milliseconds, where each message is of another node", async () => {
      const list = JSON.stringify(Array.from({ length: 4_000 }, (_unused, at) => [clock.time + at]));
      await engine.run([call(MANY_JOBS, list), call(MANY_REQUESTS), call(MANY_RECIPIENTS)]);
      let most = 0;
      const watching = watch(
        () => {},
        (_calls, [rows = []]) => {
          most = Math.max(most, rows.length);
        },
      );
      const [{ people } = {} as DayCounts] = await ask([dayOf(clock.time)], watching);
      assert.equal(people?.length, 4_000);
      assert.ok(most <= 2_000, `${most} rows`);
    });

    it("counts page by page what is more than a page", async () => {
      const jobs = 210;
      for (let at = 0; at < jobs; at++) {
        clock.time += at % 3;
        await takeJob(store, 1);
      }
      assert.deepEqual(totals(await ask([dayOf(clock.time)])), { "null null": jobs });
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
      const [{ replies } = {} as DayCounts] = await ask([{ ...day, from }]);
      assert.deepEqual(replies, [{ hour: 15, count: 1 }]);
      assert.deepEqual(
        [0, 59, 61, 119, 121, 143, 151].map(delaySeconds),
        [0, 59, 60, 3_540, 3_600, 82_800, 86_400],
      );
    });

    it("looks at no day before the first message or behind today, and gives each", async () => {
      const day = dayOf(clock.time);
      await ended({});
      const ran: string[] = [];
      const at = (days: number): ReportDay => dayOf(day.starts + days * DAY);
      const counts = await ask(
        [at(-2), at(-1), day, at(1), at(2)],
        watch((calls) => ran.push(...calls.map((each) => each.statement.name))),
      );
      assert.deepEqual(
        counts.map(({ people }) => people.length),
        [0, 0, 1, 0, 0],
      );
      assert.equal(ran.filter((name) => name === "report_known").length, 1);
    });
  });
}
