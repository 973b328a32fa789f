import type { Call, Rows } from "../engine/engine";
import { call } from "../engine/query";
import { toPerson } from "../../shared/recipients/person";
import { personOf } from "../schema/person";
import { lookUp, type Sql, sql } from "../schema/sql";
import { deleteSlice, statement } from "../schema/statement";
import { CLAIMED, CLAIMED_RECIPIENTS } from "./claimed";

/** How much may leave in the periods that it is now. Billed messages: recipients, for SMS each with its segments. */
export interface ClaimLimits {
  /** Of the whole account; null for no limit. */
  readonly hour: number | null;
  readonly day: number | null;
  /** To one number. */
  readonly numberHour: number | null;
  readonly numberDay: number | null;
  /** Epoch ms at which hour and day began. */
  readonly hourStarts: number;
  readonly dayStarts: number;
}

export type LimitPeriod = "hour" | "day";

/** The limit that keeps a recipient from being sent to. */
export interface LimitReached {
  readonly period: LimitPeriod;
  /** Whether it is the limit of one number, not that of the account. */
  readonly single: boolean;
  readonly most: number;
  /** Whether the message alone is above the limit, so that it would never leave. */
  readonly never: boolean;
}

/** Billed messages so far in the periods of each limit. */
export type SoFar = Readonly<Record<"hour" | "day" | "numberHour" | "numberDay", number>>;

/** In the order in which they are named where several are reached. */
const LIMITS = [
  { limit: "numberDay", period: "day", single: true },
  { limit: "numberHour", period: "hour", single: true },
  { limit: "day", period: "day", single: false },
  { limit: "hour", period: "hour", single: false },
] as const;

/** The limit that keeps a message from a number; null for one that may be sent. @param cost billed messages */
export function limitReached(limits: ClaimLimits, cost: number, soFar: SoFar): LimitReached | null {
  for (const { limit, period, single } of LIMITS) {
    const most = limits[limit];
    if (most !== null && soFar[limit] + cost > most) {
      return { period, single, most, never: cost > most };
    }
  }
  return null;
}

/** Billed messages of the account in hour and day so far. */
export type QuotaUsage = Readonly<Record<LimitPeriod, number>>;

/** Stands for no limit. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Holds the counters of the account until the end of the operation, so that those who claim at the same time follow each other. */
const LOCK = statement("limits_lock")`
    INSERT INTO quota_usage (account, number, period, starts, messages)
    VALUES (?1, '', 'day', ?3, 0), (?1, '', 'hour', ?2, 0)
    ON CONFLICT (account, number, period, starts) DO UPDATE SET messages = quota_usage.messages`;

const soFar = (number: string, period: LimitPeriod): string => `coalesce((SELECT s.messages FROM quota_usage s
  WHERE s.account = ?3 AND s.number = ${number} AND s.period = '${period}' AND s.starts = ${period === "hour" ? "?4" : "?5"}), 0)`;

/** The reservations of a claim. */
const RESERVED = sql`outbox o ${lookUp("reservations", "v", "v.request = o.id")} WHERE ${CLAIMED}`;

// ?6 and ?7 limits of a number, ?8 and ?9 of the account, by hour and day. In the order in which requests are sent; one that alone is
// above the rest of the account's does not stand before others.
const RESERVE = statement("limits_reserve")`
    INSERT INTO reservations (request, idx, recipient, cost, hour_starts, day_starts)
    SELECT t.request, t.idx, t.number, t.cost, CAST(?4 AS bigint), CAST(?5 AS bigint) FROM (
      SELECT f.*, sum(f.cost) OVER (ORDER BY f.priority DESC, f.request, f.idx) AS total FROM (
        SELECT n.* FROM (
          SELECT q.request, q.idx, q.number, q.person, q.cost, q.priority,
            sum(q.cost) OVER (PARTITION BY q.person ORDER BY q.priority DESC, q.request, q.idx) AS to_number
          FROM (${CLAIMED_RECIPIENTS}) q
          WHERE q.opted_out = 0 AND (q.idempotency_key IS NULL OR EXISTS (SELECT 1 FROM idempotency_keys k
              WHERE k.account = q.scope AND k.idempotency_key = q.idempotency_key AND k.number = q.person AND k.request = q.request))) n
        WHERE n.to_number <= ?6 - ${soFar("n.person", "hour")} AND n.to_number <= ?7 - ${soFar("n.person", "day")}
          AND n.cost <= ?8 - ${soFar("''", "hour")} AND n.cost <= ?9 - ${soFar("''", "day")}) f) t
    WHERE t.total <= ?8 - ${soFar("''", "hour")} AND t.total <= ?9 - ${soFar("''", "day")}
    ON CONFLICT (request, idx) DO UPDATE SET
      cost = excluded.cost, hour_starts = excluded.hour_starts, day_starts = excluded.day_starts
    RETURNING request, recipient AS number`;

// ?6: whether numbers are counted one by one. Each counter once: a statement of PostgreSQL must not change a row twice.
const COUNT = statement("limits_count")`
    INSERT INTO quota_usage (account, number, period, starts, messages)
    SELECT CAST(?3 AS text), t.number, p.period,
      CASE p.period WHEN 'hour' THEN CAST(?4 AS bigint) ELSE CAST(?5 AS bigint) END, t.messages
    FROM (
      SELECT '' AS number, sum(v.cost) AS messages FROM ${RESERVED} HAVING count(*) > 0
      UNION ALL
      SELECT ${personOf("v.recipient")}, sum(v.cost) FROM ${RESERVED} AND CAST(?6 AS integer) = 1 GROUP BY 1) t
      CROSS JOIN (SELECT 'day' AS period UNION ALL SELECT 'hour') p
    WHERE true ORDER BY p.period, t.number
    ON CONFLICT (account, number, period, starts) DO UPDATE SET messages = quota_usage.messages + excluded.messages`;

const usageIn = (period: LimitPeriod): Sql => sql`SELECT s.number, s.period, s.messages FROM quota_usage s
    WHERE s.account = ?3 AND s.period = '${period}' AND s.starts = ${period === "hour" ? "?4" : "?5"}
      AND s.number IN (SELECT '' UNION ALL SELECT q.person FROM (${CLAIMED_RECIPIENTS}) q
        WHERE NOT EXISTS (SELECT 1 FROM reservations v WHERE v.request = q.request AND v.idx = q.idx))`;

const USAGE = statement("limits_usage")`${usageIn("hour")} UNION ALL ${usageIn("day")}`;

/** Reserves what is left of the limits for the requests of a claim. Four calls. */
export function limitCalls(
  scope: string,
  owner: string,
  claim: number,
  { hour, day, numberHour, numberDay, hourStarts, dayStarts }: ClaimLimits,
): readonly Call[] {
  const claimed = [owner, claim, scope, hourStarts, dayStarts];
  const most = [numberHour, numberDay, hour, day].map((each) => each ?? UNLIMITED);
  const single = numberHour === null && numberDay === null ? 0 : 1;
  return [
    call(LOCK, scope, hourStarts, dayStarts),
    call(RESERVE, ...claimed, ...most),
    call(COUNT, ...claimed, single),
    call(USAGE, ...claimed),
  ];
}

/** What the limits let through. */
interface Found {
  readonly usage: QuotaUsage;
  /** The limit that holds a recipient back; null for one that may be sent to. */
  readonly over: (request: number, number: string, cost: number) => LimitReached | null;
}

/** Reads what `limitCalls` have found. */
export function readLimits(results: readonly Rows[], limits: ClaimLimits): Found {
  const [, reserved = [], , counted = []] = results;
  const passes = new Set(reserved.map(({ request, number }) => `${request} ${number}`));
  const counts = new Map(
    counted.map(({ number, period, messages }) => [`${period} ${number}`, Number(messages)]),
  );
  const soFarOf = (period: LimitPeriod, number: string): number => counts.get(`${period} ${number}`) ?? 0;
  const account = { hour: soFarOf("hour", ""), day: soFarOf("day", "") };
  // What is below all limits comes after a message of the same claim that takes what is left: the last one that is set holds it back.
  const last = LIMITS.findLast(({ limit }) => limits[limit] !== null) ?? LIMITS[3];
  const most = limits[last.limit] ?? 0;
  const over = (request: number, number: string, cost: number): LimitReached | null => {
    if (passes.has(`${request} ${number}`)) {
      return null;
    }
    const soFar = {
      ...account,
      numberHour: soFarOf("hour", toPerson(number)),
      numberDay: soFarOf("day", toPerson(number)),
    };
    const { period, single } = last;
    return limitReached(limits, cost, soFar) ?? { period, single, most, never: cost > most };
  };
  return { usage: account, over };
}

/** Deletes a slice of the counters of periods that began before ?1, epoch ms. */
export const DELETE_QUOTA_USAGE = deleteSlice(
  "limits_delete_usage",
  "quota_usage",
  "account, number, period, starts",
  "o.starts < ?1 ORDER BY o.starts",
);
