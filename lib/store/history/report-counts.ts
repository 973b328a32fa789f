import { inSlices } from "../../shared/async/in-slices";
import type { ShownOutcome } from "../../shared/outcomes";
import type { Engine, Row, Rows } from "../engine/engine";
import { call } from "../engine/query";
import { firstWordOf, greatest, idsOf, jobsOf, lookUp, numberIn, type Sql, sql } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";
import { shownOutcomeOf } from "./history-filter";

/** People with the same node, outcome, reason and status, of an hour. */
export interface ReportCount {
  /** From the beginning of the day, in which clocks may change: 0 to 24. */
  readonly hour: number;
  readonly node: string;
  readonly channel: string;
  /** null for what is still on its way. */
  readonly outcome: ShownOutcome | null;
  /** Of a failure its operation, the number of its code, and the name of a fault on this side. */
  readonly operation: string | null;
  readonly code: number | null;
  readonly fault: string | null;
  readonly delivery: string | null;
  readonly count: number;
  /** That the service has billed for the requests that these people are the first of. */
  readonly segments: number;
}

/** What makes a count another one, and the numbers that are summed up: in the order in which the store keeps them. */
const [KEY, SUMS] = [
  ["hour", "node", "channel", "outcome", "operation", "code", "fault", "delivery"],
  ["count", "segments"],
] as const satisfies readonly (readonly (keyof ReportCount)[])[];
export const COUNT_COLUMNS = [...KEY, ...SUMS] as const;
/** Columns of which a database may give texts. */
const NUMBERS: ReadonlySet<string> = new Set<keyof ReportCount>(["hour", "code", "count", "segments"]);

/** A row as `COUNTED` gives it. */
function countOf(row: Row): ReportCount {
  const count: Record<string, unknown> = {};
  for (const column of COUNT_COLUMNS) {
    const value = row[column] ?? null;
    count[column] = value !== null && NUMBERS.has(column) ? Number(value) : value;
  }
  return count as unknown as ReportCount;
}

/** People to whom it took as long, by `delaySeconds`. */
export interface ReportDelay extends Pick<ReportCount, "node" | "channel" | "outcome" | "count"> {
  readonly bucket: number;
}

/** How many there were in an hour from the beginning of the day. */
export interface HourCount {
  readonly hour: number;
  readonly count: number;
}

/** What was counted of a day or a part of it. */
export interface DayCounts {
  readonly people: readonly ReportCount[];
  readonly delays: readonly ReportDelay[];
  /** Messages of people. */
  readonly replies: readonly HourCount[];
}

/** A day with what is under way apart. */
export interface CountedApart {
  /** Of all jobs but the open ones. Only where there are too many of those, something in it is under way. */
  readonly ended: DayCounts;
  /** Ids of jobs of which something is under way. */
  readonly open: readonly number[];
}

/** A day of a time zone, and the part of it that is asked for. Epoch ms. */
export interface ReportDay {
  readonly starts: number;
  readonly ends: number;
  readonly from: number;
  readonly to: number;
}

/** People that a statement aims at, and that it counts at most. */
const [PAGE, MOST_PEOPLE] = [10_000, 20_000];
/** People that a row which comes back weighs as much as: it holds the event loop. */
const ROW = 5;
/** Jobs of the first statement, and of any; requests of the first one where a single job has more people than a statement may count. */
const [FIRST_JOBS, MOST_JOBS, FIRST_PARTS] = [50, 10_000, 10];
/** Jobs, and people of them, that are counted each time, so that the day can be kept without them. */
const MOST_OPEN = 2_000;
const [LAST_ID, LAST_PART] = [Number.MAX_SAFE_INTEGER, 2 ** 31 - 1];

/** Jobs after (?2, ?3) up to (?4, ?5). */
const RANGE = `j.account = ?1 AND j.taken_at >= ?2 AND (j.taken_at, j.id) > (?2, ?3)
  AND j.taken_at <= ?4 AND (j.taken_at, j.id) <= (?4, ?5)`;

const PAGE_END = statement("report_page_end")`
    SELECT j.taken_at, j.id FROM jobs j WHERE ${RANGE} ORDER BY j.taken_at, j.id LIMIT 1 OFFSET ?6`;

const LAST_OF_JOB = statement("report_last_part")`
    SELECT max(r.part) AS part FROM requests r WHERE r.job = ?1`;

const FAILED = "r.outcome <> 'sent' AND r.outcome <> 'queued'";
/** The first person of a request: who was at place 0 may have been divided off, or deleted. */
const IS_FIRST =
  "(c.place = 0 OR NOT EXISTS (SELECT 1 FROM recipients o WHERE o.request = c.request AND o.place < c.place))";

/**
 * People by what they have in common, and how long their delivery took. Nearly all are sent: nothing of their answer is read but what they cost.
 * @param starts begin of the day @param from tables `j`, `r` and `c`, with a condition
 */
const counted = (name: string, starts: string, from: Sql): Statement =>
  statement(name)`
    SELECT p.hour, p.node, p.channel, p.outcome, p.operation, p.code, p.fault, p.delivery, CASE WHEN p.s < 60 THEN p.s
        WHEN p.s < 3600 THEN 60 + p.s / 60 WHEN p.s < 86400 THEN 120 + p.s / 3600 ELSE 150 + p.s / 86400 END AS bucket,
      count(*) AS count, coalesce(sum(p.segments), 0) AS segments
    FROM (
      SELECT (j.taken_at - CAST(${starts} AS bigint)) / 3600000 AS hour, j.node, j.channel,
        CASE WHEN ${FAILED} THEN ${shownOutcomeOf("r")} ELSE r.outcome END AS outcome,
        CASE WHEN ${FAILED} THEN r.operation END AS operation, CASE WHEN ${FAILED} THEN ${numberIn("r.answer", "statusCode")} END AS code,
        CASE WHEN ${FAILED} THEN ${firstWordOf("r.answer", "fault")} END AS fault, c.delivery,
        CASE WHEN r.outcome IN ('sent', 'queued') AND ${IS_FIRST} THEN ${numberIn("r.answer", "smsCount")} END AS segments,
        CASE WHEN c.delivery = 'delivered' AND r.left_at IS NOT NULL THEN ${greatest("c.delivery_at - r.left_at", "0")} / 1000 END AS s
      FROM ${from}) p
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`;

// ?6 begin of the day, ?7 and ?8 parts after and up to, ?9 people at most.
const inRange = (further: Sql): Sql =>
  sql`jobs j ${lookUp("requests", "r", "r.job = j.id AND r.part > ?7 AND r.part <= ?8")} ${lookUp("recipients", "c", "c.request = r.id")}
      WHERE ${RANGE} ${further} LIMIT ?9`;
const COUNTED = counted("report_counted", "?6", inRange(sql``));

/** The same without the jobs ?10. */
const COUNTED_ENDED = counted("report_counted_ended", "?6", inRange(sql`AND j.id NOT IN (${idsOf("?10")})`));

/** The same of the jobs ?1 of the account ?3. ?2 begin of the day. */
const COUNTED_OPEN = counted(
  "report_counted_open",
  "?2",
  sql`${jobsOf("?1")} ${lookUp("requests", "r", "r.job = j.id")} ${lookUp("recipients", "c", "c.request = r.id")}
      WHERE j.account = ?3`,
);

const OPEN_JOBS = statement("report_open_jobs")`
    SELECT DISTINCT j.id FROM jobs j ${lookUp("requests", "r", "r.job = j.id")}
    WHERE ${RANGE} AND r.outcome IS NULL LIMIT ?6`;

const REPLIES = statement("report_replies")`
    SELECT (v.received_at - CAST(?4 AS bigint)) / 3600000 AS hour, count(*) AS count FROM events v
    WHERE v.account = ?1 AND v.received_at >= ?2 AND v.received_at < ?3 AND v.kind = 'inbound' GROUP BY 1`;

/** Seconds at which a bucket begins: exact to the second below a minute, to the minute below an hour, to the hour below a day. */
export function delaySeconds(bucket: number): number {
  if (bucket < 60) {
    return bucket;
  }
  return bucket < 120 ? (bucket - 60) * 60 : bucket < 150 ? (bucket - 120) * 3_600 : (bucket - 150) * 86_400;
}

/** Adds rows of several pages that differ in numbers alone. */
class Merged<Count extends { count: number; segments?: number }> {
  readonly #all = new Map<string, Count>();

  /** @param key its fields that are no such numbers @param row is changed by later ones */
  add(key: readonly unknown[], row: Count): void {
    const name = key.join("\0");
    const known = this.#all.get(name);
    if (known === undefined) {
      this.#all.set(name, row);
    } else {
      known.count += row.count;
      if (known.segments !== undefined) {
        known.segments += row.segments ?? 0;
      }
    }
  }

  get rows(): readonly Count[] {
    return [...this.#all.values()];
  }
}

/** Jobs after a place up to another one: of each its time and id. */
type Range = readonly [time: number, id: number, lastTime: number, lastId: number];

type Changed<Count> = { -readonly [Key in keyof Count]: Count[Key] };

/** What was counted, in rows of several statements. */
class Counted {
  readonly #people = new Merged<Changed<ReportCount>>();
  readonly #delays = new Merged<Changed<ReportDelay>>();

  add(rows: Rows): Promise<void> {
    return inSlices(rows, (slice) => {
      for (const row of slice) {
        this.#add(row);
      }
    });
  }

  #add(row: Row): void {
    const people = countOf(row);
    const { node, channel, outcome, count } = people;
    this.#people.add(
      KEY.map((column) => people[column]),
      people,
    );
    if (row.bucket !== null) {
      const bucket = Number(row.bucket);
      this.#delays.add([node, channel, outcome, bucket], { node, channel, outcome, bucket, count });
    }
  }

  /** With these replies. */
  counts(replies: DayCounts["replies"]): DayCounts {
    return { people: this.#people.rows, delays: this.#delays.rows, replies };
  }
}

const peopleIn = (rows: Rows): number => rows.reduce((sum, { count }) => sum + Number(count), 0);

/** Counts a part of a day page by page. No statement reads more than so many people, whatever the size of a message. */
class PartCounter {
  readonly #counted = new Counted();
  readonly #open: number[] = [];
  #openPeople = 0;

  /** @param isApart whether what is open is left out, until that is too much */
  constructor(
    private readonly engine: Engine,
    private readonly account: string,
    private readonly day: ReportDay,
    private isApart: boolean,
  ) {}

  async count(): Promise<CountedApart> {
    const { starts, from, to } = this.day;
    const last = [to - 1, LAST_ID] as const;
    let [time, id, size] = [from, -1, FIRST_JOBS];
    for (;;) {
      const values = [this.account, time, id, ...last, size - 1];
      const [[end] = []] = await this.engine.read([call(PAGE_END, ...values)]);
      const [lastTime, lastId] = end === undefined ? last : [Number(end.taken_at), Number(end.id)];
      const range = [time, id, lastTime, lastId] as const;
      const counted = await this.#page(range, -1, LAST_PART);
      if (counted === null && size > 1) {
        size = smaller(size);
        continue;
      }
      if (counted === null) {
        await this.#countJob(range);
      }
      if (end === undefined) {
        break;
      }
      size = Math.min(nextSize(size, counted ?? PAGE), MOST_JOBS);
      [time, id] = [lastTime, lastId];
    }
    const [replies = []] = await this.engine.read([call(REPLIES, this.account, from, to, starts)]);
    const ended = this.#counted.counts(
      replies.map(({ hour, count }) => ({ hour: Number(hour), count: Number(count) })),
    );
    return { ended, open: this.#open };
  }

  /** A range of one job that has too many people for a statement, request by request. */
  async #countJob(range: Range): Promise<void> {
    const [[row] = []] = await this.engine.read([call(LAST_OF_JOB, range[3])]);
    const last = Number(row?.part ?? -1);
    let [after, size] = [-1, FIRST_PARTS];
    while (after < last) {
      const most = size === 1 ? LAST_ID : MOST_PEOPLE;
      const counted = await this.#page(range, after, Math.min(after + size, LAST_PART), most);
      if (counted === null) {
        size = smaller(size);
      } else {
        after += size;
        size = nextSize(size, counted);
      }
    }
  }

  /** Adds what is in a range and in these parts of its jobs. @returns what that weighs, in people; null for too many, of which none is added */
  async #page(range: Range, afterPart: number, lastPart: number, most = MOST_PEOPLE): Promise<number | null> {
    const { starts } = this.day;
    const values = [this.account, ...range, starts, afterPart, lastPart, Math.min(most + 1, LAST_ID)];
    const [found = []] = await this.engine.read([call(COUNTED, ...values)]);
    const people = peopleIn(found);
    if (people > most) {
      return null;
    }
    const isOpen = this.isApart && found.some(({ outcome }) => outcome === null);
    // A job is left out as a whole or not at all.
    this.isApart &&= !isOpen || lastPart === LAST_PART;
    await this.#counted.add(isOpen && this.isApart ? await this.#endedOf(range, values, found) : found);
    return Math.max(people, ROW * found.length);
  }

  /** What of a page has ended. @param values those of the page @param found all of it, where too much is open */
  async #endedOf(range: Range, values: readonly (string | number)[], found: Rows): Promise<Rows> {
    const room = MOST_OPEN - this.#open.length;
    const [rows = []] = await this.engine.read([call(OPEN_JOBS, this.account, ...range, room + 1)]);
    const jobs = rows.map(({ id }) => Number(id));
    if (jobs.length <= room) {
      const [ended = []] = await this.engine.read([call(COUNTED_ENDED, ...values, JSON.stringify(jobs))]);
      this.#openPeople += peopleIn(found) - peopleIn(ended);
      if (this.#openPeople <= MOST_OPEN) {
        this.#open.push(...jobs);
        return ended;
      }
    }
    this.isApart = false;
    return found;
  }
}

const smaller = (size: number): number => Math.ceil(size / 16);
const nextSize = (size: number, counted: number): number =>
  Math.max(1, Math.min(Math.floor((size * PAGE) / Math.max(counted, 1)), 4 * size));

/** Counts a part of a day, beside the thread or connection that commits. @throws StoreError (as a rejection) */
export async function countPart(engine: Engine, account: string, day: ReportDay): Promise<DayCounts> {
  const { ended } = await new PartCounter(engine, account, day, false).count();
  return ended;
}

/** The same of a whole day, which may be kept. What of it is open is for `countOpen`. */
export const countApart = (engine: Engine, account: string, day: ReportDay): Promise<CountedApart> =>
  new PartCounter(engine, account, day, true).count();

/** What has become of the jobs of a day that were open. @throws StoreError (as a rejection) */
export async function countOpen(
  engine: Engine,
  account: string,
  { starts }: ReportDay,
  jobs: readonly number[],
): Promise<DayCounts> {
  const counted = new Counted();
  if (jobs.length > 0) {
    const [rows = []] = await engine.read([call(COUNTED_OPEN, JSON.stringify(jobs), starts, account)]);
    await counted.add(rows);
  }
  return counted.counts([]);
}
