import type { Outcome } from "../../shared/outcomes";
import type { Call, Row, Rows } from "../engine/engine";
import { call } from "../engine/query";
import { each, idOf, idsOf, lookUp, lookUpIfAny, sql, type SqlPart } from "../schema/sql";
import { statement } from "../schema/statement";
import { CLAIMED_RECIPIENTS, recipientRows } from "./claimed";
import { type ClaimLimits, limitCalls, type LimitReached, readLimits, type Spent } from "./limits";
import { scopeOfMessage } from "../schema/scope";

/** The message that holds a once key for a number. */
export interface FirstUse {
  /** Epoch ms at which it left. */
  readonly at: number;
  /** Null while it is under way. */
  readonly outcome: Outcome | null;
}

/** A recipient that a request must not be sent to now. */
export type BlockedNumber =
  | { readonly number: string; readonly reason: "opted-out" }
  | { readonly number: string; readonly reason: "already-sent" | "key-reused"; readonly first: FirstUse }
  | { readonly number: string; readonly reason: "limit"; readonly limit: LimitReached };

/** What a claim has to keep to beside the queue. */
export interface ClaimGuard {
  /** Null without limits. */
  readonly limits: ClaimLimits | null;
  /** Where its requests were accepted for: others are not claimed. */
  readonly destination: string;
  /** Operations of which nothing is claimed. */
  readonly pausedOperations?: readonly string[];
  /** Told of what has left in the periods of the limits, this claim included. */
  readonly onSpent: (spent: Spent) => void;
}

export const NO_GUARD: ClaimGuard = { destination: "", limits: null, onSpent: () => {} };

// Two requests of a claim may have the same key: the one that is sent first gets it. In the order of the keys, so that two processes do not
// wait for each other.
const TAKE_KEYS = statement("guards_take_keys")`
    INSERT INTO once_keys (account, once_key, number, request, hash, at, until)
    SELECT f.scope, f.idempotency_key, f.number, f.request, f.content_hash, CAST(?3 AS bigint), CAST(?3 AS bigint) + f.key_ttl
    FROM (SELECT q.*, row_number() OVER (PARTITION BY q.scope, q.idempotency_key, q.number ORDER BY q.request) AS turn
        FROM (${CLAIMED_RECIPIENTS}) q WHERE q.idempotency_key IS NOT NULL AND q.opted_out = 0) f
    WHERE f.turn = 1 ORDER BY f.scope, f.idempotency_key, f.number
    ON CONFLICT (account, once_key, number) DO UPDATE SET
        request = excluded.request, hash = excluded.hash, at = excluded.at, until = excluded.until, outcome = NULL
      WHERE once_keys.until <= ?3 OR once_keys.request = excluded.request`;

const HELD_BY_OPT_OUTS = sql`
    SELECT q.request, q.number, 'opted-out' AS reason, CAST(NULL AS bigint) AS at, CAST(NULL AS text) AS outcome
    FROM (${CLAIMED_RECIPIENTS}) q WHERE q.opted_out = 1`;

// Most accounts have no opt-outs.
const HELD = statement("guards_held")`
    SELECT h.* FROM (SELECT x.account FROM opt_outs x WHERE x.account = ?3 LIMIT 1) a CROSS JOIN (${HELD_BY_OPT_OUTS}) h`;

const HELD_WITH_KEYS = statement("guards_held_with_keys")`
    ${HELD_BY_OPT_OUTS}
    UNION ALL
    SELECT q.request, q.number, CASE WHEN k.hash = q.content_hash THEN 'already-sent' ELSE 'key-reused' END, k.at,
      coalesce((SELECT f.outcome FROM messages f WHERE f.id = k.request), k.outcome)
    FROM (${CLAIMED_RECIPIENTS}) q CROSS JOIN once_keys k
    WHERE k.account = q.scope AND k.once_key = q.idempotency_key AND k.number = q.number AND k.request <> q.request`;

/**
 * Ends an operation that claims: takes once keys, reserves what the limits have left, and finds the recipients that are not sent to.
 * @param scope whose limits count
 * @param mayHaveKeys false where surely no request of the claim has a once key
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
    ...(mayHaveKeys ? [call(TAKE_KEYS, ...claimed, now)] : []),
    mayHaveKeys ? call(HELD_WITH_KEYS, ...claimed) : call(HELD, ...claimed, scope),
    ...(limits === null ? [] : limitCalls(scope, owner, claim, limits)),
  ];
}

/** A claimed request, as far as guards have to know it. */
interface Guarded {
  readonly id: number;
  readonly cost: number;
  readonly recipients: readonly string[];
}

/** Outcomes after which surely nothing was sent: what a request had taken is there again. */
const UNSENT: ReadonlySet<Outcome> = new Set(["rejected", "denied", "retry-later"]);

export const isUnsent = (outcome: Outcome): boolean => UNSENT.has(outcome);

const NONE: readonly BlockedNumber[] = [];
const NOBODY: ReadonlyMap<number, readonly BlockedNumber[]> = new Map();

/**
 * Reads what the calls have found.
 * @param results of these calls alone
 * @returns for each request the recipients that it is not sent to, in their order; requests without such are missing
 */
export function readHeld(
  results: readonly Rows[],
  requests: readonly Guarded[],
  mayHaveKeys: boolean,
  { limits, onSpent }: ClaimGuard,
): ReadonlyMap<number, readonly BlockedNumber[]> {
  const held = results[mayHaveKeys ? 1 : 0] ?? [];
  if (held.length === 0 && limits === null) {
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
  for (const row of held) {
    add(Number(row.request), toHeld(row));
  }
  if (limits !== null) {
    const { spent, over } = readLimits(results.slice(mayHaveKeys ? 2 : 1), limits);
    onSpent(spent);
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

function toHeld({ number, reason, at, outcome }: Row): BlockedNumber {
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

/** The account's counter of the day comes first, as in a claim: whoever has it changes the others, so nobody waits for each other. */
const COUNTERS = [
  ["_day", "SELECT 'day' AS period, 0 AS single"],
  ["", "SELECT 'hour' AS period, 0 AS single UNION ALL SELECT 'hour', 1 UNION ALL SELECT 'day', 1"],
] as const;

/**
 * Takes once keys and reservations back from the requests that still are the owner's. Another process may have them by now, and its keys
 * are not this owner's to free.
 */
function releasing({ name, from, where }: Released) {
  const requests = sql`SELECT m.id FROM ${from} WHERE ${where}`;
  return [
    statement(`guards_free_keys${name}`)`
    DELETE FROM once_keys WHERE (number, account, once_key, request) IN (
        SELECT q.number, q.scope, q.idempotency_key, q.request
        FROM (${recipientRows(sql`(${requests}) w`, "w.id", "p.idempotency_key IS NOT NULL")}) q)`,
    ...COUNTERS.map(
      ([suffix, counters]) =>
        statement(`guards_give_back${suffix}${name}`)`
    UPDATE spent SET messages = spent.messages - u.messages
    FROM (SELECT ${scopeOfMessage("m")} AS account, CASE p.single WHEN 1 THEN v.recipient ELSE '' END AS number, p.period,
        CASE p.period WHEN 'hour' THEN v.hour_starts ELSE v.day_starts END AS starts, sum(v.cost) AS messages
      FROM ${from} ${lookUp("reservations", "v", "v.request = m.id")} CROSS JOIN (${counters}) p
      WHERE ${where} GROUP BY 1, 2, 3, 4) u
    WHERE spent.account = u.account AND spent.number = u.number AND spent.period = u.period AND spent.starts = u.starts`,
    ),
    statement(`guards_reserved_nothing${name}`)`
    DELETE FROM reservations WHERE request IN (${requests})`,
  ];
}

// ?3 whether also what others have settled because they took the owner for expired: its response is better, as with `settle`.
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
 * Nothing of these requests was sent: their once keys are free, and what they had reserved of the limits is there again. To be run
 * before they are put back or settled, in the same operation: only what the owner has at that moment is given back.
 * @param answered whether they were answered: that counts also where others have settled them as `unknown`
 */
export function giveBack(owner: string, requests: readonly number[], answered = false): readonly Call[] {
  const values = [JSON.stringify(requests), owner, answered ? 1 : 0];
  return LISTED.map((each) => call(each, ...values));
}

/** The same for all requests of an account that the owner has, but these. */
export function giveBackOthers(owner: string, account: string, known: readonly number[]): readonly Call[] {
  const values = [JSON.stringify(known), owner, account];
  return OTHERS.map((each) => call(each, ...values));
}
