import type { Call, Row, Rows } from "../engine/engine";
import { SLICE } from "../engine/sliced";
import { call, textOrNull } from "../engine/query";
import { Repository } from "../engine/repository";
import { nextClaim } from "../guards/claimed";
import {
  type ClaimGuard,
  giveBack,
  giveBackOthers,
  guardCalls,
  type BlockedNumber,
  NO_GUARD,
  periodsOf,
  readHeld,
} from "../guards/guard-calls";
import { type ClaimedRules, readRules } from "../guards/request-rules";
import { blocked, grantWaiting, type Rate, readTurns, type Turns } from "./rates";
import { isStill, KEEP_TEXT_OWNER, numbersOf } from "../schema/expressions";
import { among, chosen, each, idsOf, isRow, type Sql, sql, type SqlPart, textsOf } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";
import { queueTopic } from "../schema/topics";
import { getScope, SIMULATOR } from "../schema/scope";

/** A request that its claimant may send, and nobody else. */
export interface ClaimedRequest {
  readonly id: number;
  readonly job: number;
  readonly jobKey: string;
  /** Instance that has the live message, and emits the result. */
  readonly resultOwner: string;
  /** Id of the node whose outputs its result leaves from; blank where a person sent it without its node. */
  readonly node: string;
  readonly part: number;
  readonly operation: string;
  readonly priority: number;
  /** Tries made before. */
  readonly attempts: number;
  readonly clientMessageId: string | null;
  /** JSON, as it was taken; null for a sensitive message. */
  readonly content: string | null;
  readonly recipients: readonly string[];
  readonly rules: ClaimedRules;
  /** Recipients that it must not be sent to now, in their order; nearly always none. */
  readonly held: readonly BlockedNumber[];
}

/** A request of which surely nothing has left. */
export interface ReleasedRequest {
  readonly id: number;
  /** ms from now until it may leave again; 0 for at once. */
  readonly delay: number;
  readonly priority: number;
  readonly attempts: number;
  /** Whether it has taken once keys or a part of a limit, which are given back. */
  readonly guarded?: boolean;
  /** Whether it waits for a rule, not for another try: then `delay` may be of any length, and is looked at again after a restart. */
  readonly postponed?: boolean;
}

/** Requests with the turns at which they may leave, in order. */
export interface ClaimInTurn {
  readonly requests: readonly ClaimedRequest[];
  readonly turns: Turns;
}

// Those who are due first, and not many at once: a claim finds what it may take, however many have become due together.
const WAKE_DUE = statement("requests_wake_due")`
    UPDATE requests SET due = NULL WHERE id ${chosen(sql`
      SELECT r.id FROM requests r WHERE r.account = ?1 AND r.state = 'queued' AND r.due IS NOT NULL AND r.due <= ?2
        AND r.destination = ?4
      ORDER BY r.due LIMIT ?3`)} AND ${isStill("queued")} RETURNING id`;

// A dead instance claims nothing, even before it knows that it is dead. ?6 number of the claim, ?7 and ?8 begin of hour and day, ?9
// destination, ?10 operations of which nothing is claimed.
const claim = (which: SqlPart, further: SqlPart = ""): Sql => sql`
    UPDATE requests SET state = 'leaving', owner = ?2, left_at = ?3, postponed = 0,
      claim = ?6, spent_hour = ?7, spent_day = ?8
    WHERE id ${chosen(which)}
    AND ${isStill("queued")} AND EXISTS (SELECT 1 FROM instances i WHERE i.id = ?2 AND i.dead_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM paused_accounts p WHERE p.account = ?1) ${further}
    RETURNING id, job, part, operation, priority, attempts, client_message_id, content,
      useless_after, once_key, category, cost, zone,
      (SELECT j.job_key FROM jobs j WHERE j.id = requests.job) AS job_key,
      (SELECT j.result_owner FROM jobs j WHERE j.id = requests.job) AS "resultOwner",
      (SELECT j.node FROM jobs j WHERE j.id = requests.job) AS node,
      ${numbersOf("requests.id")} AS numbers`;

/** Of a sensitive request only its owner has the text. */
const HAS_TEXT = "(r.owner IS NULL OR r.owner = ?2)";
const MAY_CLAIM = sql`r.destination = ?9 AND ${HAS_TEXT} AND r.operation NOT IN (${textsOf("?10")})`;

const first = (most: string): Sql => sql`SELECT r.id FROM requests r
      WHERE r.account = ?1 AND r.state = 'queued' AND r.due IS NULL AND ${MAY_CLAIM} ORDER BY r.priority DESC, r.id LIMIT ${most}`;

/** ?5 is the origin of the service. */
const NOT_BLOCKED = sql`AND NOT ${blocked("?5")}`;
const CLAIM = statement("requests_claim", claim(first("?4"), NOT_BLOCKED));

/** Those of a list, by their keys: no index of what waits is asked. */
const CLAIM_LISTED = statement(
  "requests_claim_listed",
  claim(
    sql`SELECT r.id FROM requests r WHERE r.id ${among(idsOf("?4"))}
      AND coalesce(r.account, '') = ?1 AND coalesce(r.state, '') = 'queued' AND r.due IS NULL AND ${MAY_CLAIM}`,
    NOT_BLOCKED,
  ),
);

/** Takes as many as the operation got turns for. No turn is within a back-off. */
const CLAIM_IN_TURN = statement(
  "requests_claim_in_turn",
  claim(
    first("(SELECT CASE WHEN t.granted < ?4 THEN t.granted ELSE ?4 END FROM rates t WHERE t.origin = ?5)"),
  ),
);

// Entries: id, due, priority, attempts, postponed.
const RELEASE = statement("requests_release")`
    UPDATE requests SET state = 'queued', ${KEEP_TEXT_OWNER}, left_at = NULL, due = CAST(e.value ->> 1 AS bigint),
      priority = CAST(e.value ->> 2 AS integer), attempts = CAST(e.value ->> 3 AS integer),
      postponed = CAST(e.value ->> 4 AS integer)
    FROM ${each("?2")}
    WHERE ${isRow(["requests.id"], ["CAST(e.value ->> 0 AS bigint)"])} AND requests.state = 'leaving' AND requests.owner = ?1
    RETURNING requests.id AS id`;

const RELEASE_OTHERS = statement("requests_release_others")`
    UPDATE requests SET state = 'queued', ${KEEP_TEXT_OWNER}, left_at = NULL, due = NULL
    WHERE account = ?3 AND state = 'leaving' AND owner = ?1
      AND id NOT IN (${idsOf("?2")})
    RETURNING id`;

/** Who may send a request: only a claim, or `Jobs.acceptSending`, makes it leave, only its owner puts it back. Every call may throw StoreError. */
export class RequestClaims extends Repository {
  /**
   * Takes up to `most` requests that may leave, for this owner alone. They are `leaving` on the disk when this resolves.
   * Before their first byte leaves, the owner asks `Instances.mayLeave` once more.
   * @param origin of the service: while it is blocked for all processes, nothing is taken; blank where no others count
   * @returns those of high priority first, then in the order in which they came; none for an owner that is not alive
   * @throws StoreError. Where it is uncertain, `releaseOthers` puts back what was claimed without anybody's knowledge
   */
  async claim(
    account: string,
    owner: string,
    most: number,
    origin = "",
    guard = NO_GUARD,
  ): Promise<readonly ClaimedRequest[]> {
    const wake = call(WAKE_DUE, account, this.clock.now(), most + SLICE, guard.destination);
    const { requests, before } = await this.#claim([wake], CLAIM, [account, owner, most, origin], guard);
    this.#notifyOfWoken(account, before, requests);
    return requests;
  }

  /**
   * As `claim`, but takes those of a list that still may leave. What waits for its time is not looked at.
   * @param mayHaveKeys false where surely none of them has a once key
   */
  async claimListed(
    account: string,
    owner: string,
    ids: readonly number[],
    mayHaveKeys: boolean,
    origin = "",
    guard = NO_GUARD,
  ): Promise<readonly ClaimedRequest[]> {
    const which = [account, owner, JSON.stringify(ids), origin] as const;
    return (await this.#claim([], CLAIM_LISTED, which, guard, mayHaveKeys)).requests;
  }

  /** As `claim`, and with turns of the rate that all processes share. Fewer turns than requests are never given. */
  async claimInTurn(
    account: string,
    owner: string,
    most: number,
    rate: Rate,
    guard = NO_GUARD,
  ): Promise<ClaimInTurn> {
    const { destination, pausedOperations } = guard;
    const wake = call(WAKE_DUE, account, this.clock.now(), most + SLICE, destination);
    const grant = grantWaiting(rate, account, owner, most, destination, pausedOperations);
    const which = [account, owner, most, rate.origin] as const;
    const { requests, before } = await this.#claim([wake, ...grant], CLAIM_IN_TURN, which, guard);
    this.#notifyOfWoken(account, before, requests);
    return { requests, turns: readTurns(before[2]?.[0], rate) };
  }

  /**
   * Claims in one operation.
   * @param first calls that come before the claim
   * @returns the requests, and the rows of those calls
   */
  async #claim(
    first: readonly Call[],
    claim: Statement,
    [account, owner, which, origin]: readonly [string, string, number | string, string],
    guard: ClaimGuard,
    mayHaveKeys = true,
  ): Promise<{ readonly requests: readonly ClaimedRequest[]; readonly before: readonly Rows[] }> {
    const now = this.clock.now();
    const number = nextClaim();
    const { destination, pausedOperations = [] } = guard;
    const scope = getScope(account, destination === SIMULATOR);
    const paused = JSON.stringify(pausedOperations);
    const results = await this.engine.run(
      [
        ...first,
        call(claim, account, owner, now, which, origin, number, ...periodsOf(guard), destination, paused),
        ...guardCalls(scope, owner, number, now, guard.limits, mayHaveKeys),
      ],
      [],
      mayHaveKeys || guard.limits !== null ? "contended" : "own",
    );
    const [rows = [], ...found] = results.slice(first.length);
    const requests = rows.map(toClaimed);
    const guarded = requests.map(({ id, recipients, rules: { cost } }) => ({ id, recipients, cost }));
    const held = readHeld(found, guarded, mayHaveKeys, guard);
    const all = requests.map((each) =>
      held.has(each.id) ? { ...each, held: held.get(each.id) ?? [] } : each,
    );
    return {
      requests: all.sort((a, b) => b.priority - a.priority || a.id - b.id),
      before: results.slice(0, first.length),
    };
  }

  /** Processes that looked at the same moment did not find what this one has woken and not taken. */
  #notifyOfWoken(account: string, [woken = []]: readonly Rows[], taken: readonly ClaimedRequest[]): void {
    if (woken.length > taken.length && !this.engine.exclusive) {
      // Those who miss it look from time to time.
      this.engine.run([], [queueTopic(account)]).catch(() => {});
    }
  }

  /** Puts requests back of which surely nothing has left. @returns ids of those that were this owner's */
  release(account: string, owner: string, released: readonly ReleasedRequest[]): Promise<readonly number[]> {
    const now = this.clock.now();
    const entries = released.map(({ id, delay, priority, attempts, postponed }) => {
      const due = delay > 0 ? Math.ceil(now + delay) : null;
      return [id, due, priority, attempts, postponed ? 1 : 0];
    });
    const guarded = released.flatMap(({ id, guarded }) => (guarded ? [id] : []));
    const freed = guarded.length === 0 ? [] : giveBack(owner, guarded);
    return this.#putBack(account, [...freed, call(RELEASE, owner, JSON.stringify(entries))]);
  }

  /**
   * Puts back every request of the account that is marked as leaving by this owner, but those it knows of: a claim whose
   * answer was lost has handed them to nobody. Only while no claim of this owner for the account is under way.
   * @returns their ids
   */
  releaseOthers(account: string, owner: string, known: readonly number[]): Promise<readonly number[]> {
    return this.#putBack(account, [
      ...giveBackOthers(owner, account, known),
      call(RELEASE_OTHERS, owner, JSON.stringify(known), account),
    ]);
  }

  /** @returns ids that the last call has found */
  async #putBack(account: string, calls: readonly Call[]): Promise<readonly number[]> {
    const results = await this.engine.run(calls, [queueTopic(account)]);
    return (results.at(-1) ?? []).map(({ id }) => Number(id));
  }
}

const toClaimed = (row: Row): ClaimedRequest => ({
  id: Number(row.id),
  job: Number(row.job),
  jobKey: String(row.job_key),
  resultOwner: String(row.resultOwner),
  node: String(row.node),
  part: Number(row.part),
  operation: String(row.operation),
  priority: Number(row.priority),
  attempts: Number(row.attempts),
  clientMessageId: textOrNull(row.client_message_id),
  content: textOrNull(row.content),
  recipients: JSON.parse(String(row.numbers ?? "[]")) as string[],
  rules: readRules(row),
  held: [],
});
