import { randomUUID } from "node:crypto";
import type { ShownOutcome } from "../../shared/outcomes";
import type { Engine, Row } from "../engine/engine";
import { call, textOrNull } from "../engine/query";
import { areOver, firstWordOf, greatest, numberIn, TRANSACTIONS_SO_FAR } from "../schema/sql";
import { statement } from "../schema/statement";
import { shownOutcomeOf } from "./history-search";

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

/** People to whom it took as long, by `delaySeconds`. */
export interface ReportDelay {
  readonly node: string;
  readonly channel: string;
  readonly bucket: number;
  readonly count: number;
}

/** What was counted of a day or a part of it. */
export interface ReportCounts {
  readonly people: readonly ReportCount[];
  readonly delays: readonly ReportDelay[];
  /** Messages of people, by hour. */
  readonly replies: readonly { readonly hour: number; readonly count: number }[];
}

/** A day of a time zone, and the part of it that is asked for. Epoch ms. */
export interface ReportDay {
  readonly starts: number;
  readonly ends: number;
  readonly from: number;
  readonly to: number;
}

/** ms after the end of a day in which something of it may still be written. */
const SETTLING = 10 * 60_000;
/** People that a statement aims at, jobs of the first one, and of any. */
const [PAGE, FIRST_JOBS, MOST_JOBS] = [20_000, 200, 10_000];
const LAST_ID = Number.MAX_SAFE_INTEGER;

/** Jobs after (?2, ?3) up to (?4, ?5). */
const RANGE = `j.account = ?1 AND j.taken_at >= ?2 AND (j.taken_at, j.id) > (?2, ?3)
  AND j.taken_at <= ?4 AND (j.taken_at, j.id) <= (?4, ?5)`;

const PAGE_END = statement("report_page_end")`
    SELECT j.taken_at, j.id FROM jobs j WHERE ${RANGE} ORDER BY j.taken_at, j.id LIMIT 1 OFFSET ?6`;

const FAILED = "r.outcome IN ('rejected', 'denied', 'retry-later', 'unknown')";

/** People by what they have in common, and behind them, with a bucket, how long deliveries took: what is joined is joined once for both. */
const COUNTED = statement("report_counted")`
    WITH p AS MATERIALIZED (
      SELECT (j.taken_at - CAST(?6 AS bigint)) / 3600000 AS hour, j.node, j.channel, ${shownOutcomeOf("r")} AS outcome,
        CASE WHEN ${FAILED} THEN r.operation END AS operation, CASE WHEN ${FAILED} THEN ${numberIn("r.answer", "statusCode")} END AS code,
        CASE WHEN ${FAILED} THEN ${firstWordOf("r.answer", "fault")} END AS fault, c.delivery,
        CASE WHEN c.place = 0 AND r.outcome IN ('sent', 'queued') THEN ${numberIn("r.answer", "smsCount")} END AS segments,
        CASE WHEN c.delivery = 'delivered' AND r.left_at IS NOT NULL THEN ${greatest("c.delivery_at - r.left_at", "0")} / 1000 END AS s
      FROM jobs j CROSS JOIN requests r CROSS JOIN recipients c
      WHERE ${RANGE} AND r.job = j.id AND c.request = r.id)
    SELECT p.hour, p.node, p.channel, p.outcome, p.operation, p.code, p.fault, p.delivery, CAST(NULL AS bigint) AS bucket,
      count(*) AS count, coalesce(sum(p.segments), 0) AS segments
    FROM p GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    UNION ALL
    SELECT NULL, p.node, p.channel, NULL, NULL, NULL, NULL, NULL, CASE WHEN p.s < 60 THEN p.s WHEN p.s < 3600 THEN 60 + p.s / 60
      WHEN p.s < 86400 THEN 120 + p.s / 3600 ELSE 150 + p.s / 86400 END, count(*), 0
    FROM p WHERE p.s IS NOT NULL GROUP BY 2, 3, 9`;

const REPLIES = statement("report_replies")`
    SELECT (v.received_at - CAST(?4 AS bigint)) / 3600000 AS hour, count(*) AS count FROM events v
    WHERE v.received_at >= ?2 AND v.received_at < ?3 AND v.account = ?1 AND v.kind = 'inbound' GROUP BY 1`;

const UNSEALED = statement("report_unsealed")`
    SELECT 1 AS one FROM jobs WHERE sealed = 0 AND account = ?1 AND taken_at >= ?2 AND taken_at < ?3 LIMIT 1`;

const KNOWN = statement("report_known")`
    SELECT d.starts, d.ends, d.counts FROM day_counts d
    WHERE d.account = ?1 AND d.starts >= ?2 AND d.starts < ?3 AND d.counts LIKE '{%'`;

const BEGIN = statement("report_begin")`
    INSERT INTO day_counts (account, starts, ends, counts) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (account, starts, ends) DO UPDATE SET counts = excluded.counts`;

const SO_FAR = statement("report_so_far")`SELECT ${TRANSACTIONS_SO_FAR} AS mark`;
const OVER = statement("report_over")`SELECT 1 AS one WHERE ${areOver("?1")}`;
/** Looks, and ms between two, for the end of transactions that may not have seen the token: mostly they take less than one of these. */
const [LOOKS, PAUSE] = [40, 25];

/** Whether all who write now see the token, and will delete it. */
async function isSeenByAll(engine: Engine): Promise<boolean> {
  const [[row] = []] = await engine.read([call(SO_FAR)]);
  for (let look = 0; look < LOOKS; look++) {
    const [over = []] = await engine.read([call(OVER, textOrNull(row?.mark))]);
    if (over.length > 0) {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return false;
}

/** Unless an event has changed something meanwhile, or somebody else has begun. */
const KEEP = statement("report_keep")`
    UPDATE day_counts SET counts = ?5 WHERE account = ?1 AND starts = ?2 AND ends = ?3 AND counts = ?4`;

/** Seconds at which a bucket begins: exact to the second below a minute, to the minute below an hour, to the hour below a day. */
export function delaySeconds(bucket: number): number {
  if (bucket < 60) {
    return bucket;
  }
  return bucket < 120 ? (bucket - 60) * 60 : bucket < 150 ? (bucket - 120) * 3_600 : (bucket - 150) * 86_400;
}

const numbered = (row: Row, names: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      names.includes(name) && value !== null ? Number(value) : value,
    ]),
  );

/** Adds rows of several pages that differ in numbers alone. */
function merged<Count extends { readonly count: number; readonly segments?: number }>(
  rows: readonly Count[],
): readonly Count[] {
  const all = new Map<string, Count>();
  for (const { count, segments, ...key } of rows) {
    const name = JSON.stringify(key);
    const known = all.get(name);
    const sum = { ...key, count: count + (known?.count ?? 0) };
    all.set(
      name,
      (segments === undefined
        ? sum
        : { ...sum, segments: segments + (known?.segments ?? 0) }) as unknown as Count,
    );
  }
  return [...all.values()];
}

const PEOPLE_COLUMNS = [
  ...(["hour", "node", "channel", "outcome", "operation", "code", "fault", "delivery"] as const),
  ...(["count", "segments"] as const),
] satisfies readonly (keyof ReportCount)[];
const DELAY_COLUMNS = ["node", "channel", "bucket", "count"] satisfies readonly (keyof ReportDelay)[];
const REPLY_COLUMNS = ["hour", "count"] as const;

/** Rows without the names of their columns, which would be most of what is kept. */
const packed = <Each extends object>(rows: readonly Each[], columns: readonly (keyof Each)[]): unknown[][] =>
  rows.map((row) => columns.map((column) => row[column]));
const unpacked = <Each>(rows: readonly unknown[][], columns: readonly string[]): readonly Each[] =>
  rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])) as Each);

const written = ({ people, delays, replies }: ReportCounts): string =>
  JSON.stringify({
    people: packed(people, PEOPLE_COLUMNS),
    delays: packed(delays, DELAY_COLUMNS),
    replies: packed(replies, REPLY_COLUMNS),
  });

function read(text: string): ReportCounts {
  const { people, delays, replies } = JSON.parse(text) as Readonly<Record<keyof ReportCounts, unknown[][]>>;
  return {
    people: unpacked(people, PEOPLE_COLUMNS),
    delays: unpacked(delays, DELAY_COLUMNS),
    replies: unpacked(replies, REPLY_COLUMNS),
  };
}

/** Counts a part of a day page by page, so that no statement takes long. @throws StoreError (as a rejection) */
async function countPart(
  engine: Engine,
  account: string,
  { starts, from, to }: ReportDay,
): Promise<ReportCounts> {
  const people: ReportCount[] = [];
  const delays: ReportDelay[] = [];
  const [lastTime, lastId] = [to - 1, LAST_ID];
  let [time, id, most] = [from, -1, FIRST_JOBS];
  for (;;) {
    const [[end] = []] = await engine.read([call(PAGE_END, account, time, id, lastTime, lastId, most - 1)]);
    const range = [account, time, id, Number(end?.taken_at ?? lastTime), Number(end?.id ?? lastId)] as const;
    const [found = []] = await engine.read([call(COUNTED, ...range, starts)]);
    for (const { bucket, ...row } of found) {
      if (bucket === null) {
        people.push(numbered(row, ["hour", "code", "count", "segments"]) as ReportCount);
      } else {
        const { node, channel, count } = row;
        delays.push({ node, channel, bucket: Number(bucket), count: Number(count) } as ReportDelay);
      }
    }
    if (end === undefined) {
      break;
    }
    const counted = found.reduce(
      (sum, { bucket, count }) => (bucket === null ? sum + Number(count) : sum),
      0,
    );
    most = Math.max(1, Math.min(Math.floor((most * PAGE) / Math.max(counted, 1)), 4 * most, MOST_JOBS));
    [time, id] = [Number(end.taken_at), Number(end.id)];
  }
  const [replies = []] = await engine.read([call(REPLIES, account, from, to, starts)]);
  return {
    people: merged(people),
    delays: merged(delays),
    replies: replies.map((row) => numbered(row, ["hour", "count"]) as ReportCounts["replies"][number]),
  };
}

/** Counts a whole day, and keeps what it has counted where nothing of the day can change but by events. */
async function countDay(engine: Engine, account: string, day: ReportDay): Promise<ReportCounts> {
  const { starts, ends } = day;
  const token = randomUUID();
  await engine.run([call(BEGIN, account, starts, ends, token)]);
  const mayKeep = await isSeenByAll(engine);
  const counts = await countPart(engine, account, day);
  const [unsealed = []] = await engine.read([call(UNSEALED, account, starts, ends)]);
  if (mayKeep && unsealed.length === 0 && counts.people.every(({ outcome }) => outcome !== null)) {
    await engine.run([call(KEEP, account, starts, ends, token, written(counts))]);
  }
  return counts;
}

/**
 * What became of the messages of an account that were taken on some days, and what people wrote then. A day that is over is counted once, and again after
 * an event about one of its messages. All of it is read beside the thread or connection that commits.
 * @param days in order @param now epoch ms
 * @returns the counts of each day
 * @throws StoreError (as a rejection)
 */
export async function reportCounts(
  engine: Engine,
  account: string,
  days: readonly ReportDay[],
  now: number,
): Promise<readonly ReportCounts[]> {
  const [rows = []] = await engine.read([call(KNOWN, account, days[0]?.starts ?? 0, days.at(-1)?.ends ?? 0)]);
  const known = new Map(rows.map(({ starts, ends, counts }) => [`${starts} ${ends}`, String(counts)]));
  const all: ReportCounts[] = [];
  for (const day of days) {
    const isWhole = day.from === day.starts && day.to === day.ends;
    const kept = isWhole ? known.get(`${day.starts} ${day.ends}`) : undefined;
    if (kept !== undefined) {
      all.push(read(kept));
    } else if (isWhole && day.ends + SETTLING <= now) {
      all.push(await countDay(engine, account, day));
    } else {
      all.push(await countPart(engine, account, day));
    }
  }
  return all;
}

const FIRST = statement("report_first")`
    SELECT min(taken_at) AS at FROM jobs WHERE account = ?1`;

/** Epoch ms at which the oldest message that is kept was taken; null without one. @throws StoreError (as a rejection) */
export async function firstTaken(engine: Engine, account: string): Promise<number | null> {
  const [[row] = []] = await engine.read([call(FIRST, account)]);
  return row?.at == null ? null : Number(row.at);
}

const OPTED_OUT = statement("report_opted_out")`
    SELECT o.at FROM opt_outs o WHERE o.account = ?1 AND o.at >= ?2 AND o.at < ?3 LIMIT ?4`;

/** Epoch ms at which people opted out who are still in the list. @throws StoreError (as a rejection) */
export async function optOutTimes(
  engine: Engine,
  account: string,
  { from, to }: Pick<ReportDay, "from" | "to">,
  most: number,
): Promise<readonly number[]> {
  const [rows = []] = await engine.read([call(OPTED_OUT, account, from, to, most)]);
  return rows.map(({ at }) => Number(at));
}
