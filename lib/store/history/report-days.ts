import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { LONGEST_DAY } from "../events/day-counts";
import type { Call, Engine, Row } from "../engine/engine";
import { call } from "../engine/query";
import { CHANGERS, each, smallestOf } from "../schema/sql";
import { statement } from "../schema/statement";
import {
  countApart,
  countOpen,
  countPart,
  type DayCounts,
  type HourCount,
  type ReportDay,
} from "./report-counts";
import { readCounts, writeCounts } from "./report-text";

/** A day of a report with what was counted of it, and when people opted out who are still in the list. */
export interface CountedDay {
  readonly day: ReportDay;
  readonly counts: DayCounts;
  readonly optOuts: readonly HourCount[];
}

/** ms after the end of a day in which something of it may still be written. */
export const SETTLING = 10 * 60_000;
/** Days whose counts are read at once, and characters of a day above which they are not kept: what is read holds the event loop. */
const [SLICE, LONGEST_TEXT] = [4, 500_000];
/** All midnights of the world are between two of these (ms). */
const QUARTER = 900_000;
const HOUR = 3_600_000;
/** Looks of a report for the end of changes that may not have seen its tokens, and ms between two: mostly one is enough. */
const [LOOKS, BETWEEN] = [5, 20];

const FIRST = statement("report_first")`
    SELECT ${smallestOf([
      "(SELECT min(j.taken_at) FROM jobs j WHERE j.account = ?1)",
      "(SELECT min(v.received_at) FROM events v WHERE v.account = ?1 AND v.kind = 'inbound')",
      "(SELECT min(d.starts) FROM day_counts d WHERE d.account = ?1)",
      "(SELECT min(o.at) FROM opt_outs o WHERE o.account = ?1)",
    ])} AS at`;

const KNOWN = statement("report_known")`
    SELECT d.starts, d.ends, d.counts FROM day_counts d
    WHERE d.account = ?1 AND d.starts >= ?2 AND d.starts < ?3 AND d.counts IS NOT NULL`;

/** Entries: begin, end. Those of which there is anything to count. */
const USED = statement("report_used")`
    SELECT CAST(e.value ->> 0 AS bigint) AS starts, CAST(e.value ->> 1 AS bigint) AS ends FROM ${each("?1")}
    WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.account = ?2
        AND j.taken_at >= CAST(e.value ->> 0 AS bigint) AND j.taken_at < CAST(e.value ->> 1 AS bigint))
      OR EXISTS (SELECT 1 FROM events v WHERE v.account = ?2 AND v.kind = 'inbound'
        AND v.received_at >= CAST(e.value ->> 0 AS bigint) AND v.received_at < CAST(e.value ->> 1 AS bigint))`;

// The opt-outs of an account may be many, and its days few.
const OPTED_OUT = statement("report_opted_out")`
    SELECT o.at / ${QUARTER} AS quarter, count(*) AS count FROM opt_outs o
    WHERE o.account = ?1 AND o.at >= ?2 AND o.at < ?3 GROUP BY 1`;

// Entries: begin, end, token. The token of somebody who counts at the same moment is as good.
const BEGIN = statement("report_begin")`
    INSERT INTO day_counts (account, starts, ends, token)
    SELECT CAST(?2 AS text), CAST(e.value ->> 0 AS bigint), CAST(e.value ->> 1 AS bigint), e.value ->> 2 FROM ${each("?1")} WHERE true
    ON CONFLICT (account, starts, ends) DO UPDATE SET token = excluded.token WHERE day_counts.token = ''`;

const TOKENS = statement("report_tokens")`
    SELECT d.starts, d.ends, d.token FROM day_counts d WHERE d.account = ?1 AND d.starts >= ?2 AND d.starts < ?3`;

const CHANGERS_NOW = statement("report_changers", CHANGERS);

const UNSEALED = statement("report_unsealed")`
    SELECT 1 AS one FROM jobs WHERE sealed = 0 AND account = ?1 AND taken_at >= ?2 AND taken_at < ?3 LIMIT 1`;

/** Unless something of the day has changed meanwhile. */
const KEEP = statement("report_keep")`
    UPDATE day_counts SET counts = ?5 WHERE account = ?1 AND starts = ?2 AND ends = ?3 AND token = ?4 AND token <> ''`;

const FORGET = statement("report_forget")`
    UPDATE day_counts SET token = '', counts = NULL WHERE account = ?1 AND starts = ?2 AND ends = ?3`;

/** Names a day. */
export const keyOf = ({ starts, ends }: Row | ReportDay): string => `${starts} ${ends}`;
const isWhole = ({ starts, ends, from, to }: ReportDay): boolean => from === starts && to === ends;

/**
 * Those of some days of an account that have something to count, in their order. Others are neither counted nor kept, so that a long time with few
 * messages is no long work. @throws StoreError
 */
export async function usedDays(
  engine: Engine,
  account: string,
  days: readonly ReportDay[],
): Promise<readonly ReportDay[]> {
  if (days.length === 0) {
    return [];
  }
  const entries = JSON.stringify(days.map(({ starts, ends }) => [starts, ends]));
  const [rows = []] = await engine.read([call(USED, entries, account)]);
  const used = new Set(rows.map(keyOf));
  return days.filter((day) => used.has(keyOf(day)));
}

/**
 * A transaction that changes a message makes the token of its day blank, where the token was there before. One that has looked for it
 * earlier holds a lock on what it has changed until its end: what is counted after that has the change.
 */
class Changers {
  /** Names of transactions that may not have seen a token; null before the first look. */
  #unaware: ReadonlySet<string> | null = null;
  #looks = 0;

  constructor(private readonly engine: Engine) {}

  /** Tokens were written. */
  restart(): void {
    this.#unaware = null;
  }

  /** Whether all of them have ended. Waits for a moment, so many times in a report. */
  async areDone(): Promise<boolean> {
    for (;;) {
      if (this.#unaware?.size === 0) {
        return true;
      }
      const [rows = []] = await this.engine.read([call(CHANGERS_NOW)]);
      const now = new Set(rows.map(({ changer }) => String(changer)));
      this.#unaware =
        this.#unaware === null ? now : new Set([...this.#unaware].filter((name) => now.has(name)));
      if (this.#unaware.size > 0) {
        if (++this.#looks > LOOKS) {
          return false;
        }
        await pause(BETWEEN);
      }
    }
  }
}

interface CountedOnce {
  readonly day: ReportDay;
  readonly token: string;
  readonly text: string;
}

const NOTHING: DayCounts = { people: [], delays: [], replies: [] };

/** Counts the days of one report, a few at a time. */
class DayCounter {
  readonly #changers: Changers;

  constructor(
    private readonly engine: Engine,
    private readonly account: string,
    private readonly now: number,
  ) {
    this.#changers = new Changers(engine);
  }

  async *count(days: readonly ReportDay[]): AsyncGenerator<CountedDay, void, undefined> {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) {
      return;
    }
    const [kept = [], optedOut = []] = await this.engine.read([
      call(KNOWN, this.account, first.starts, last.ends),
      call(OPTED_OUT, this.account, first.from, last.to),
    ]);
    const known = new Map(kept.map((row) => [keyOf(row), String(row.counts)]));
    for (const day of days.filter((each) => known.has(keyOf(each)) && each.ends + SETTLING > this.now)) {
      // It was counted by a clock that was ahead: messages may still come into it.
      known.delete(keyOf(day));
      await this.engine.run([call(FORGET, this.account, day.starts, day.ends)]);
    }
    const used = await usedDays(
      this.engine,
      this.account,
      days.filter((day) => !isWhole(day) || !known.has(keyOf(day))),
    );
    const tokens = await this.#begin(used.filter((day) => this.#mayKeep(day)));
    const counted: CountedOnce[] = [];
    for (const day of days) {
      const text = isWhole(day) ? known.get(keyOf(day)) : undefined;
      const token = tokens.get(keyOf(day));
      let counts = NOTHING;
      if (text !== undefined) {
        const { open, ...ended } = readCounts(text);
        counts = await this.#withOpen(day, ended, open);
      } else if (token !== undefined) {
        counts = await this.#countDay(day, token, counted);
      } else if (used.includes(day)) {
        counts = await countPart(this.engine, this.account, day);
      }
      yield { day, counts, optOuts: hoursOf(day, optedOut) };
    }
    await this.#keep(counted);
  }

  /** Of a day that is over. A place may have put its clocks back by hours. */
  #mayKeep(day: ReportDay): boolean {
    return isWhole(day) && day.ends + SETTLING <= this.now && day.ends - day.starts <= LONGEST_DAY;
  }

  /** @returns a token for each day */
  async #begin(days: readonly ReportDay[]): Promise<ReadonlyMap<string, string>> {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) {
      return new Map();
    }
    const entries = days.map(({ starts, ends }) => [starts, ends, randomUUID()]);
    const [, rows = []] = await this.engine.run([
      call(BEGIN, JSON.stringify(entries), this.account),
      call(TOKENS, this.account, first.starts, last.ends),
    ]);
    this.#changers.restart();
    const asked = new Set(days.map(keyOf));
    return new Map(rows.filter((row) => asked.has(keyOf(row))).map((row) => [keyOf(row), String(row.token)]));
  }

  /** What of a day is open is not kept with it, and counted each time. */
  async #withOpen(day: ReportDay, ended: DayCounts, jobs: readonly number[]): Promise<DayCounts> {
    const open = await countOpen(this.engine, this.account, day, jobs);
    return {
      people: [...ended.people, ...open.people],
      delays: [...ended.delays, ...open.delays],
      replies: ended.replies,
    };
  }

  /** Counts a whole day. @param counted gets what may be kept: nothing in it is under way */
  async #countDay(day: ReportDay, token: string, counted: CountedOnce[]): Promise<DayCounts> {
    // A list that is complete by the end of the count may not have been when its part of the day was counted.
    const mayKeep = (await this.#changers.areDone()) && !(await this.#isFilling(day));
    const { ended, open } = await countApart(this.engine, this.account, day);
    const text = writeCounts(ended, open);
    const hasEnded = ended.people.every(({ outcome }) => outcome !== null);
    if (mayKeep && text.length <= LONGEST_TEXT && hasEnded) {
      counted.push({ day, token, text });
    }
    return this.#withOpen(day, ended, open);
  }

  /** Keeps what was counted, with one commit. */
  async #keep(counted: readonly CountedOnce[]): Promise<void> {
    const calls: Call[] = [];
    for (const { day, token, text } of counted) {
      if (!(await this.#isFilling(day))) {
        calls.push(call(KEEP, this.account, day.starts, day.ends, token, text));
      }
    }
    if (calls.length > 0) {
      await this.engine.run(calls);
    }
  }

  async #isFilling({ starts, ends }: ReportDay): Promise<boolean> {
    const [rows = []] = await this.engine.read([call(UNSEALED, this.account, starts, ends)]);
    return rows.length > 0;
  }
}

function hoursOf({ starts, from, to }: ReportDay, rows: readonly Row[]): readonly HourCount[] {
  return rows.flatMap(({ quarter, count }) => {
    // The first and the last quarter of a period may only be asked for in part.
    const at = Math.max(Number(quarter) * QUARTER, from);
    return Number(quarter) >= Math.floor(from / QUARTER) && at < to
      ? [{ hour: Math.floor((at - starts) / HOUR), count: Number(count) }]
      : [];
  });
}

/**
 * What became of the messages of an account that were taken on some days, and what people wrote then. A day that is over is counted once, and again after something of it has changed;
 * messages of it that wait or are under way are counted each time. All of it is read beside the thread or connection that commits, in statements that are bounded.
 * @param days in order, one after the other @param first epoch ms of `firstOf` @param now epoch ms
 * @throws StoreError (as a rejection)
 */
export async function* countDays(
  engine: Engine,
  account: string,
  days: Iterable<ReportDay>,
  first: number | null,
  now: number,
): AsyncGenerator<CountedDay, void, undefined> {
  const counter = new DayCounter(engine, account, now);
  const isBlank = ({ starts, ends }: ReportDay): boolean =>
    first === null || ends <= first || starts > now + SETTLING;
  let slice: ReportDay[] = [];
  for (const day of days) {
    if (!isBlank(day)) {
      slice.push(day);
    }
    if (slice.length === SLICE || (isBlank(day) && slice.length > 0)) {
      yield* counter.count(slice);
      slice = [];
    }
    if (isBlank(day)) {
      yield { day, counts: NOTHING, optOuts: [] };
    }
  }
  yield* counter.count(slice);
}

/** Epoch ms of the oldest thing that a report would count; null without one. @throws StoreError (as a rejection) */
export async function firstOf(engine: Engine, account: string): Promise<number | null> {
  const [[row] = []] = await engine.read([call(FIRST, account)]);
  return row?.at == null ? null : Number(row.at);
}
