import type { Call, Rows } from "../engine/engine";
import { call } from "../engine/query";
import { toPerson } from "../../shared/recipients/person";
import { personOf } from "../schema/person";
import { lookUp, type Sql, sql } from "../schema/sql";
import { deleteSlice, statement } from "../schema/statement";
import { CLAIMED, CLAIMED_RECIPIENTS } from "./claimed";

/** Quotas of the present periods, in billed messages: recipients, for SMS times segments. */
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

/** The quota that blocks a recipient. */
export interface LimitReached {
  readonly period: LimitPeriod;
  /** True for the quota of one number. */
  readonly single: boolean;
  readonly most: number;
  /** True if the message alone exceeds the quota. */
  readonly never: boolean;
}

export type SoFar = Readonly<Record<"hour" | "day" | "numberHour" | "numberDay", number>>;

/** In the order of precedence. */
const LIMITS = [
  { limit: "numberDay", period: "day", single: true },
  { limit: "numberHour", period: "hour", single: true },
  { limit: "day", period: "day", single: false },
  { limit: "hour", period: "hour", single: false },
] as const;

/** Returns the quota that blocks a message; null if it may be sent. @param cost billed messages */
export function limitReached(limits: ClaimLimits, cost: number, soFar: SoFar): LimitReached | null {
  for (const { limit, period, single } of LIMITS) {
    const most = limits[limit];
    if (most !== null && soFar[limit] + cost > most) {
      return { period, single, most, never: cost > most };
    }
  }
  return null;
}

export type QuotaUsage = Readonly<Record<LimitPeriod, number>>;

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Locks the counters of the account until the end of the operation, so that claims are serial. */
const LOCK = statement("limits_lock")`
    INSERT INTO quota_usage (account, number, period, starts, messages)
    VALUES (?1, '', 'day', ?3, 0), (?1, '', 'hour', ?2, 0)
    ON CONFLICT (account, number, period, starts) DO UPDATE SET messages = quota_usage.messages`;

const soFar = (number: string, period: LimitPeriod): string => `coalesce((SELECT s.messages FROM quota_usage s
  WHERE s.account = ?3 AND s.number = ${number} AND s.period = '${period}' AND s.starts = ${period === "hour" ? "?4" : "?5"}), 0)`;

const RESERVED = sql`outbox o ${lookUp("reservations", "v", "v.request = o.id")} WHERE ${CLAIMED}`;

// ?6 and ?7 limits of a number, ?8 and ?9 of the account, by hour and day. In the order of sending; a request that
// alone exceeds the remaining quota blocks no others.
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

/** Reserves quota for the requests of a claim. Four calls. */
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

interface Found {
  readonly usage: QuotaUsage;
  /** Returns the quota that blocks a recipient, or null. */
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
  // If no quota is exceeded, an earlier message of the claim has used the rest: the last quota blocks the recipient.
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
