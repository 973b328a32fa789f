import assert from "node:assert/strict";
import { call, rowsOf } from "../../../../../lib/store/engine/query";
import type { DayCounts, ReportDay } from "../../../../../lib/store/history/report-counts";
import { CountAhead } from "../../../../../lib/store/history/count-ahead";
import { countDays, firstOf } from "../../../../../lib/store/history/report-days";
import { statement } from "../../../../../lib/store/schema/statement";
import { answered, kill, newEvent, newJob, newRequest, type OpenStore, takeJob } from "../store-under-test";
import { DAY, HOUR, useReports } from "./reports-under-test";

const ALL_DAYS = statement("test_report_all_days")`SELECT starts FROM day_counts ORDER BY starts`;

const FORGET = statement("test_report_forget_all")`UPDATE day_counts SET token = '', counts = NULL`;

/** Days that a report has counted, and finds again. */
export function keptDaysSuite(open: OpenStore): void {
  const { clock, engine, store, me, dayOf, ask, watch, kept, totals, ended, delivered } = useReports(open);

  describe("a report that finds what was counted", () => {
    it("keeps nothing of a day without messages, and writes four days at once", async () => {
      const days = [-4, -3, -2, -1, 0, 1, 2, 3].map((at) => dayOf(clock.time + at * DAY));
      await store.deliveries.note("a1", [newEvent({ kind: "inbound", status: null })]);
      for (let at = 0; at < 4; at++) {
        await ended({});
        clock.time += DAY;
      }
      let writes = 0;
      const watching = watch((calls) => {
        writes += calls.some((each) => each.statement.name === "report_keep") ? 1 : 0;
      });
      const all: DayCounts[] = [];
      for await (const { counts } of countDays(watching, "a1", days, 0, clock.time)) {
        all.push(counts);
      }
      assert.deepEqual(
        all.map(({ people, replies }) => people.length + replies.length),
        [0, 0, 0, 0, 2, 1, 1, 1],
      );
      assert.equal(writes, 1);
      assert.deepEqual(
        await rowsOf(engine, ALL_DAYS).then((rows) => rows.map(({ starts }) => Number(starts))),
        days.slice(4).map(({ starts }) => starts),
      );
    });

    it("keeps nothing of a day while a list of it is being filled, also where it is complete by the end of the count", async () => {
      const day = dayOf(clock.time);
      const list = newJob();
      await ended({});
      await store.jobs.begin(list);
      clock.time += 2 * DAY;
      let told = false;
      const racing = watch(
        () => {},
        async (calls) => {
          if (!told && calls.some((each) => each.statement.name === "report_counted")) {
            told = true;
            await store.jobs.add(list.key, [newRequest({ part: 0, recipients: ["7"] })]);
            await store.jobs.seal(list.key, list.account);
            await store.claims.claim("a1", me, 1);
          }
        },
      );
      assert.deepEqual(totals(await ask([day], racing)), { "sent null": 1 });
      assert.deepEqual(await kept(), []);
      assert.deepEqual(totals(await ask([day])), { "sent null": 1, "null null": 1 });
    });

    it("does not keep a day that a clock which was ahead has taken for over, whether a report or a cleaning comes first", async () => {
      const day = dayOf(clock.time);
      for (const look of [() => ask([day]), () => store.retention.deleteOld("a1", 30 * DAY)]) {
        clock.time = day.starts;
        await ended({});
        clock.time = day.ends + DAY;
        await ask([day]);
        assert.deepEqual(await kept(), [day.starts]);
        clock.time = day.starts + HOUR;
        await look();
        assert.deepEqual(await kept(), []);
        await ended({});
        clock.time = day.ends + DAY;
        await ask([day]);
      }
      assert.deepEqual(totals(await ask([day])), { "sent null": 4 });
    });

    it("forgets the days of an account that has nothing else left", async () => {
      const day = dayOf(clock.time);
      await ended({});
      clock.time += DAY;
      await ask([day]);
      const old = 30 * DAY;
      clock.time = day.ends + old;
      for (let at = 0; at < 3; at++) {
        await store.retention.deleteRemoved("a1", old);
      }
      assert.deepEqual(await kept(), [day.starts], "its end is not old yet");
      assert.equal(await firstOf(engine, "a1"), day.starts);
      assert.deepEqual(await store.retention.accounts(), ["a1"]);
      clock.time++;
      await store.retention.deleteRemoved("a1", old);
      assert.deepEqual(await store.retention.accounts(), []);
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

      const ran: string[] = [];
      const watching = watch((calls) => ran.push(...calls.map((each) => each.statement.name)));
      assert.deepEqual(totals(await ask([first], watching)), { "sent null": 1 });
      assert.deepEqual(ran, ["report_known", "report_opted_out"]);

      await delivered(id, clock.time);
      assert.deepEqual(await kept(), []);
      assert.deepEqual(totals(await ask(days)), { "sent delivered": 1, "sent null": 1 });
      await store.deliveries.note("a2", [newEvent({ transferId: `t${id}` })]);
      assert.deepEqual(await kept(), [first.starts], "an event of another account is about something else");
    });

    it("keeps nothing of a day that has changed while it was counted", async () => {
      const day = dayOf(clock.time);
      const id = await ended({});
      clock.time += DAY;
      let told = false;
      const racing = watch(
        () => {},
        async (calls) => {
          if (!told && calls.some((each) => each.statement.name === "report_counted")) {
            told = true;
            await delivered(id, clock.time);
          }
        },
      );
      assert.deepEqual(totals(await ask([day], racing)), { "sent null": 1 });
      assert.deepEqual(await kept(), []);
      assert.deepEqual(totals(await ask([day])), { "sent delivered": 1 });
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

    it("counts a day anew to which an answer came late, of a request that was given up", async () => {
      const day = dayOf(clock.time);
      const [id = 0] = await takeJob(store, 1);
      await store.claims.claim("a1", me, 1);
      await kill(engine, me);
      await store.recovery.settleOrphans();
      await store.settlements.emitted([id]);
      clock.time += DAY;
      assert.deepEqual(totals(await ask([day])), { "unknown null": 1 });
      assert.deepEqual(await kept(), [day.starts]);
      await store.settlements.settle(me, [answered(id, { outcome: "rejected", emitted: true })]);
      assert.deepEqual(await kept(), []);
      assert.deepEqual(totals(await ask([day])), { "rejected null": 1 });
    });

    it("keeps the counts of every other day at an event about one, and keeps counting while somebody writes", async () => {
      const days: ReportDay[] = [];
      const ids: number[] = [];
      for (let at = 0; at < 6; at++) {
        ids.push(await ended({}));
        days.push(dayOf(clock.time));
        clock.time += DAY;
      }
      const today = await ended({});
      await ask(
        days,
        watch(
          () => {},
          async () => {
            clock.time++;
            await delivered(today, clock.time);
          },
        ),
      );
      const starts = days.map((day) => day.starts);
      assert.deepEqual(await kept(), starts);
      await delivered(ids[2] ?? 0, clock.time);
      assert.deepEqual(
        await kept(),
        starts.filter((_unused, at) => at !== 2),
      );
    });
  });

  describe("a day of which something waits or is under way", () => {
    const countedBy = (days: readonly ReportDay[]) => {
      const ran: string[] = [];
      const watching = watch((calls) => ran.push(...calls.map((each) => each.statement.name)));
      return ask(days, watching).then((counts) => ({ ran, totals: totals(counts) }));
    };

    it("is kept without its message, which is counted each time as it is then", async () => {
      const day = dayOf(clock.time);
      await ended({});
      const [open = 0, other = 0] = await takeJob(store, [
        { recipients: ["41790000001", "41790000002"] },
        { recipients: ["41790000003"] },
      ]);
      await store.claims.claim("a1", me, 1);
      await store.settlements.settle(me, [answered(open, { emitted: true, transferId: "t-open" })]);
      clock.time += DAY;
      const waiting = { "sent null": 3, "null null": 1 };
      assert.deepEqual(totals(await ask([day])), waiting);
      assert.deepEqual(await kept(), [day.starts]);
      const again = await countedBy([day]);
      assert.deepEqual(again, {
        ran: ["report_known", "report_opted_out", "report_counted_open"],
        totals: waiting,
      });

      await store.claims.claim("a1", me, 1);
      assert.deepEqual((await countedBy([day])).totals, waiting, "it is leaving");
      await store.settlements.settle(me, [answered(other, { outcome: "rejected", emitted: true })]);
      assert.deepEqual((await countedBy([day])).totals, { "sent null": 3, "rejected null": 1 });
      assert.deepEqual(await kept(), [day.starts], "its end is nobody's work");
      await store.deliveries.note("a1", [newEvent({ transferId: "t-open", number: "41790000002" })]);
      assert.deepEqual(await kept(), []);
      const delivered = { "sent null": 2, "sent delivered": 1, "rejected null": 1 };
      assert.deepEqual(totals(await ask([day])), delivered);
      assert.deepEqual(await countedBy([day]), {
        ran: ["report_known", "report_opted_out"],
        totals: delivered,
      });
    });

    it("is right where the message ends while it is counted", async () => {
      const day = dayOf(clock.time);
      await ended({});
      for (const moment of ["report_counted", "report_open_jobs", "report_counted_ended"]) {
        clock.time = day.starts + HOUR;
        const [open = 0] = await takeJob(store, 1);
        await store.claims.claim("a1", me, 1);
        clock.time = day.starts + DAY + HOUR;
        let told = false;
        const racing = watch(
          () => {},
          async (calls) => {
            if (!told && calls.some((each) => each.statement.name === moment)) {
              told = true;
              await store.settlements.settle(me, [
                answered(open, { emitted: true, transferId: `t-${moment}` }),
              ]);
            }
          },
        );
        const before = totals(await ask([day]))["sent null"] ?? 0;
        await store.engine.run([call(FORGET)]);
        assert.deepEqual(totals(await ask([day], racing)), { "sent null": before + 1 }, moment);
        assert.equal(told, true, moment);
        assert.deepEqual(await kept(), [day.starts]);
        assert.deepEqual(totals(await ask([day])), { "sent null": before + 1 }, moment);
      }
    });

    it("is not kept where too many wait, or one of a message that is counted in parts", async () => {
      const people = (from: number, count: number): string[] =>
        Array.from({ length: count }, (_unused, at) => String(from + at));
      const [first, second, third, fourth] = [0, 1, 2, 3].map((at) => dayOf(clock.time + at * DAY)) as [
        ReportDay,
        ReportDay,
        ReportDay,
        ReportDay,
      ];
      const parts = await takeJob(
        store,
        [5, 12_000, 12_000].map((count, part) => ({ recipients: people(part * 20_000, count) })),
      );
      await store.claims.claim("a1", me, 3);
      const settled = parts.slice(1).map((id) => answered(id, { emitted: true }));
      await store.settlements.settle(me, settled);
      for (const day of [second, third]) {
        clock.time = day.starts;
        await ended({});
      }
      clock.time = second.starts;
      await takeJob(store, [{ recipients: people(1000, 2_000) }]);
      clock.time = third.starts;
      await takeJob(store, 2);
      await takeJob(store, [{ recipients: people(1000, 1_999) }]);
      clock.time = fourth.starts;
      for (let at = 0; at < 60; at++) await takeJob(store, [{ recipients: people(1000, 40) }]);
      clock.time = fourth.ends + HOUR;
      assert.deepEqual(totals(await ask([first])), { "sent null": 24_000, "null null": 5 });
      assert.deepEqual(totals(await ask([second])), { "sent null": 1, "null null": 2_000 });
      assert.deepEqual(totals(await ask([third])), { "sent null": 1, "null null": 2_001 });
      assert.deepEqual(totals(await ask([fourth])), { "null null": 2_400 }, "of several pages");
      assert.deepEqual(await kept(), [second.starts]);
    });
  });

  describe("days that are counted before somebody asks", () => {
    /** Until nothing is left. @returns calls that it took */
    async function countAll(ahead: CountAhead): Promise<number> {
      for (let calls = 1; ; calls++) {
        if (!(await ahead.step("UTC", clock.time))) {
          return calls;
        }
      }
    }
    async function fill(): Promise<readonly (readonly [day: ReportDay, id: number])[]> {
      const all: (readonly [ReportDay, number])[] = [];
      for (let at = 0; at < 6; at++) {
        all.push([dayOf(clock.time), await ended({})]);
        clock.time += DAY;
      }
      return all;
    }

    it("are what a report finds, which then counts today alone", async () => {
      const days = (await fill()).map(([day]) => day);
      await ended({});
      const ahead = new CountAhead(engine, "a1");
      assert.equal(await ahead.step("UTC", clock.time), true);
      assert.deepEqual(await kept(), [days.at(-1)?.starts], "one of them in a step, the last one first");
      assert.equal(await countAll(ahead), days.length - 1);
      assert.deepEqual(
        await kept(),
        days.map(({ starts }) => starts),
      );
      const counted: unknown[] = [];
      const watching = watch((calls) => {
        const of = calls.filter(({ statement: { name } }) => name === "report_counted");
        counted.push(...of.map(({ values }) => values[5]));
      });
      const today = dayOf(clock.time);
      assert.deepEqual(totals(await ask([...days, { ...today, to: clock.time + 1 }], watching)), {
        "sent null": 7,
      });
      assert.deepEqual(new Set(counted), new Set([today.starts]));
    });

    it("take no step for each day on which nothing was sent", async () => {
      await ended({});
      const old = dayOf(clock.time);
      clock.time += 100 * DAY;
      const young = dayOf(clock.time);
      await ended({});
      clock.time += DAY;
      assert.equal(await countAll(new CountAhead(engine, "a1")), 4);
      assert.deepEqual(await kept(), [old.starts, young.starts]);
    });

    it("are those of a report's time, and of other accounts nothing", async () => {
      await ended({}, ["41790000001"], { account: "a2" });
      const old = dayOf(clock.time);
      await ended({});
      clock.time += 400 * DAY;
      const young = dayOf(clock.time);
      await ended({});
      clock.time += DAY;
      await countAll(new CountAhead(engine, "a1"));
      assert.deepEqual(await kept(), [young.starts]);
      await countAll(new CountAhead(engine, "none"));
      assert.deepEqual(totals(await ask([old])), { "sent null": 1 });
    });

    it("are looked for once a day, those too that have changed since, and the day that has just ended when it is over for long enough", async () => {
      const all = await fill();
      const starts = all.map(([day]) => day.starts);
      const ahead = new CountAhead(engine, "a1");
      await countAll(ahead);
      await delivered(all[2]?.[1] ?? 0, clock.time);
      const today = dayOf(clock.time);
      await ended({});
      clock.time = today.ends - 1;
      assert.equal(await ahead.step("UTC", clock.time), false);
      clock.time = today.ends + 9 * 60_000;
      assert.equal(await ahead.step("UTC", clock.time), false);
      assert.deepEqual(
        await kept(),
        starts.filter((_unused, at) => at !== 2),
      );
      clock.time = today.ends + 10 * 60_000;
      await countAll(ahead);
      assert.deepEqual(await kept(), [...starts, today.starts]);
      assert.deepEqual(totals(await ask(all.map(([day]) => day))), { "sent null": 5, "sent delivered": 1 });
    });

    it("are as right where two count them at the same moment", async () => {
      const starts = (await fill()).map(([day]) => day.starts);
      await Promise.all([countAll(new CountAhead(engine, "a1")), countAll(new CountAhead(engine, "a1"))]);
      assert.deepEqual(await kept(), starts);
    });

    it("go on with the next one where one cannot be counted", async () => {
      const starts = (await fill()).map(([day]) => day.starts);
      let failed = false;
      const failing = watch((calls) => {
        if (!failed && calls.some((each) => each.statement.name === "report_counted")) {
          failed = true;
          throw new Error("away");
        }
      });
      const ahead = new CountAhead(failing, "a1");
      await assert.rejects(ahead.step("UTC", clock.time));
      await countAll(ahead);
      assert.deepEqual(await kept(), starts.slice(0, -1));
    });
  });
}
