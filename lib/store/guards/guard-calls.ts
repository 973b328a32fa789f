import type { Outcome } from "../../shared/outcomes";
import type { Call, Row, Rows } from "../engine/engine";
import { call } from "../engine/query";
import { each, idOf, idsOf, lookUp, lookUpIfAny, sql, type SqlPart } from "../schema/sql";
import { statement } from "../schema/statement";
import { CLAIMED_RECIPIENTS, recipientRows } from "./claimed";
import { type ClaimLimits, limitCalls, type LimitReached, readLimits, type QuotaUsage } from "./limits";
import { personOf } from "../schema/person";
import { scopeOfMessage } from "../schema/scope";

/** The message that uses an idempotency key for a number. */
export interface FirstUse {
  /** Epoch ms at which it was sent. */
  readonly at: number;
  /** Null before its outcome. */
  readonly outcome: Outcome | null;
}

export type BlockedNumber =
  | { readonly number: string; readonly reason: "opted-out" }
  | { readonly number: string; readonly reason: "already-sent" | "key-reused"; readonly first: FirstUse }
  | { readonly number: string; readonly reason: "limit"; readonly limit: LimitReached };

/** Policies of a claim. */
export interface ClaimGuard {
  readonly limits: ClaimLimits | null;
  /** Only requests that were accepted for it are claimed. */
  readonly destination: string;
  readonly pausedOperations?: readonly string[];
  /** Receives the quota usage, this claim included. */
  readonly onUsage: (usage: QuotaUsage) => void;
}

export const NO_GUARD: ClaimGuard = { destination: "", limits: null, onUsage: () => {} };

// The first of two requests of a claim uses their key. Keys are ordered to prevent deadlocks.
const CLAIM_KEYS = statement("guards_claim_keys")`
    INSERT INTO idempotency_keys (account, idempotency_key, number, request, content_hash, at, until)
    SELECT f.scope, f.idempotency_key, f.person, f.request, f.content_hash, CAST(?3 AS bigint), CAST(?3 AS bigint) + f.key_ttl
    FROM (SELECT q.*, row_number() OVER (PARTITION BY q.scope, q.idempotency_key, q.person ORDER BY q.request) AS number_of_key
        FROM (${CLAIMED_RECIPIENTS}) q WHERE q.idempotency_key IS NOT NULL AND q.opted_out = 0) f
    WHERE f.number_of_key = 1 ORDER BY f.scope, f.idempotency_key, f.person
    ON CONFLICT (account, idempotency_key, number) DO UPDATE SET
        request = excluded.request, content_hash = excluded.content_hash, at = excluded.at, until = excluded.until, outcome = NULL
      WHERE idempotency_keys.until <= ?3 OR idempotency_keys.request = excluded.request`;

const BLOCKED_BY_OPT_OUTS = sql`
    SELECT q.request, q.number, 'opted-out' AS reason, CAST(NULL AS bigint) AS at, CAST(NULL AS text) AS outcome
    FROM (${CLAIMED_RECIPIENTS}) q WHERE q.opted_out = 1`;

// Most accounts have no opt-outs.
const BLOCKED = statement("guards_blocked")`
    SELECT h.* FROM (SELECT x.account FROM opt_outs x WHERE x.account = ?3 LIMIT 1) a CROSS JOIN (${BLOCKED_BY_OPT_OUTS}) h`;

const BLOCKED_WITH_KEYS = statement("guards_blocked_with_keys")`
    ${BLOCKED_BY_OPT_OUTS}
    UNION ALL
    SELECT q.request, q.number, CASE WHEN k.content_hash = q.content_hash THEN 'already-sent' ELSE 'key-reused' END, k.at,
      coalesce((SELECT f.outcome FROM messages f WHERE f.id = k.request), k.outcome)
    FROM (${CLAIMED_RECIPIENTS}) q CROSS JOIN idempotency_keys k
    WHERE k.account = q.scope AND k.idempotency_key = q.idempotency_key AND k.number = q.person AND k.request <> q.request`;

/**
 * Ends a claim: uses idempotency keys, reserves quota, and finds blocked recipients.
 * @param mayHaveKeys false if no request of the claim has an idempotency key
 */
export function guardCalls(
  scope: string,
  owner: string,
  claim: number,
  now: number,
  limits: ClaimLimits | null,
  mayHaveKeys: boolean,
): readonly Call[] {
  const claimed = [owner, claim];
  return [
    ...(mayHaveKeys ? [call(CLAIM_KEYS, ...claimed, now)] : []),
    mayHaveKeys ? call(BLOCKED_WITH_KEYS, ...claimed) : call(BLOCKED, ...claimed, scope),
    ...(limits === null ? [] : limitCalls(scope, owner, claim, limits)),
  ];
}

interface Guarded {
  readonly id: number;
  readonly cost: number;
  readonly recipients: readonly string[];
}

/** Outcomes of requests that were not sent, which release their keys and quota. */
const UNSENT: ReadonlySet<Outcome> = new Set(["rejected", "denied", "retry-later"]);

export const isUnsent = (outcome: Outcome): boolean => UNSENT.has(outcome);

const NONE: readonly BlockedNumber[] = [];
const NOBODY: ReadonlyMap<number, readonly BlockedNumber[]> = new Map();

/**
 * Reads the results of `guardCalls`.
 * @returns blocked recipients by request, in their order
 */
export function readBlocked(
  results: readonly Rows[],
  requests: readonly Guarded[],
  mayHaveKeys: boolean,
  { limits, onUsage }: ClaimGuard,
): ReadonlyMap<number, readonly BlockedNumber[]> {
  const blocked = results[mayHaveKeys ? 1 : 0] ?? [];
  if (blocked.length === 0 && limits === null) {
    return NOBODY;
  }
  const byRequest = new Map<number, Map<string, BlockedNumber>>();
  const add = (request: number, found: BlockedNumber): void => {
    const numbers = byRequest.get(request) ?? new Map<string, BlockedNumber>();
    byRequest.set(request, numbers);
    if (!numbers.has(found.number)) {
      numbers.set(found.number, found);
    }
  };
  for (const row of blocked) {
    add(Number(row.request), toBlocked(row));
  }
  if (limits !== null) {
    const { usage, over } = readLimits(results.slice(mayHaveKeys ? 2 : 1), limits);
    onUsage(usage);
    for (const { id, cost, recipients } of requests) {
      for (const number of recipients) {
        const limit = byRequest.get(id)?.has(number) ? null : over(id, number, cost);
        if (limit !== null) {
          add(id, { number, reason: "limit", limit });
        }
      }
    }
  }
  return new Map(
    requests.flatMap(({ id, recipients }) => {
      const numbers = byRequest.get(id);
      return numbers === undefined ? [] : [[id, recipients.flatMap((each) => numbers.get(each) ?? NONE)]];
    }),
  );
}

function toBlocked({ number, reason, at, outcome }: Row): BlockedNumber {
  return reason === "opted-out"
    ? { number: String(number), reason }
    : {
        number: String(number),
        reason: reason === "already-sent" ? "already-sent" : "key-reused",
        first: { at: Number(at), outcome: outcome as Outcome | null },
      };
}

/** Which requests `m` are released, with their rows `o` of the outbox. ?2 is the owner. */
interface Released {
  readonly name: string;
  readonly from: SqlPart;
  readonly where: SqlPart;
}

/** The account's counter of the day comes first, as in a claim, which prevents deadlocks. */
const COUNTERS = [
  ["_day", "SELECT 'day' AS period, 0 AS single"],
  ["", "SELECT 'hour' AS period, 0 AS single UNION ALL SELECT 'hour', 1 UNION ALL SELECT 'day', 1"],
] as const;

/** Releases keys and reservations of requests that the owner still has. */
function releasing({ name, from, where }: Released) {
  const requests = sql`SELECT m.id FROM ${from} WHERE ${where}`;
  return [
    statement(`guards_release_keys${name}`)`
    DELETE FROM idempotency_keys WHERE (number, account, idempotency_key, request) IN (
        SELECT q.person, q.scope, q.idempotency_key, q.request
        FROM (${recipientRows(sql`(${requests}) w`, "w.id", "p.idempotency_key IS NOT NULL")}) q)`,
    ...COUNTERS.map(
      ([suffix, counters]) =>
        statement(`guards_release_quota${suffix}${name}`)`
    UPDATE quota_usage SET messages = quota_usage.messages - u.messages
    FROM (SELECT ${scopeOfMessage("m")} AS account, CASE p.single WHEN 1 THEN ${personOf("v.recipient")} ELSE '' END AS number, p.period,
        CASE p.period WHEN 'hour' THEN v.hour_starts ELSE v.day_starts END AS starts, sum(v.cost) AS messages
      FROM ${from} ${lookUp("reservations", "v", "v.request = m.id")} CROSS JOIN (${counters}) p
      WHERE ${where} GROUP BY 1, 2, 3, 4) u
    WHERE quota_usage.account = u.account AND quota_usage.number = u.number AND quota_usage.period = u.period AND quota_usage.starts = u.starts`,
    ),
    statement(`guards_release_reservations${name}`)`
    DELETE FROM reservations WHERE request IN (${requests})`,
  ];
}

// ?3 is 1 to include requests that another process settled after the owner expired, as with `settle`.
const LISTED = releasing({
  name: "",
  from: sql`${each("?1")} ${lookUp("messages", "m", sql`m.id = ${idOf()}`)} ${lookUpIfAny("outbox", "o", "o.id = m.id")}`,
  where: sql`((o.state = 'sending' AND o.owner = ?2)
      OR (CAST(?3 AS integer) = 1 AND m.settled_by = 'process-ended' AND m.late_owner = ?2))`,
});

const OTHERS = releasing({
  name: "_of_others",
  from: sql`outbox o ${lookUp("messages", "m", "m.id = o.id")}`,
  where: sql`o.state = 'sending' AND o.owner = ?2 AND o.account = ?3 AND o.id NOT IN (${idsOf("?1")})`,
});

/**
 * Releases keys and quota of requests that were not sent. Runs before they are requeued or settled, in the same operation.
 * @param answered true to release requests with a response that another process has settled as `unknown`
 */
export function giveBack(owner: string, requests: readonly number[], answered = false): readonly Call[] {
  const values = [JSON.stringify(requests), owner, answered ? 1 : 0];
  return LISTED.map((each) => call(each, ...values));
}

/** The same for all requests of an account and owner, except known ones. */
export function giveBackOthers(owner: string, account: string, known: readonly number[]): readonly Call[] {
  const values = [JSON.stringify(known), owner, account];
  return OTHERS.map((each) => call(each, ...values));
}
