import type { Call, Row } from "../engine/engine";
import { SLICE } from "../engine/sliced";
import { call, entryCall, textOrNull } from "../engine/query";
import { Repository } from "../engine/repository";
import { CLAIMED, nextClaim } from "../guards/claimed";
import {
  type BlockedNumber,
  giveBack,
  giveBackOthers,
  guardCalls,
  NO_GUARD,
  readBlocked,
} from "../guards/guard-calls";
import { type ClaimedRules, readRules } from "../guards/request-rules";
import { blocked } from "./rates";
import { readRecipients, RECIPIENTS, WITH_MESSAGE } from "./job-statements";
import { entryStatement, isOfEntry, withEntries } from "../schema/entries";
import { isStill, KEEP_TEXT_OWNER } from "../schema/expressions";
import { chosen, idsOf, sql, textsOf } from "../schema/sql";
import { statement } from "../schema/statement";
import { queueTopic } from "../schema/topics";
import { getScope, SIMULATOR } from "../schema/scope";

/** A request that its claimant may send, and nobody else. */
export interface ClaimedRequest {
  readonly id: number;
  readonly job: number;
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

// Those who are due first, and not many at once: a claim finds what it may take, however many have become due together.
const WAKE_DUE = statement("requests_wake_due")`
    UPDATE outbox SET due = NULL WHERE id ${chosen(sql`
      SELECT o.id FROM outbox o WHERE o.account = ?1 AND o.state = 'queued' AND o.due IS NOT NULL AND o.due <= ?2
        AND o.destination = ?4
      ORDER BY o.due LIMIT ?3`)} AND ${isStill("queued")} RETURNING id`;

// An expired instance claims nothing, even before it knows that it is expired. ?6 number of the claim, ?7 destination, ?8 operations of
// which nothing is claimed.
/** Of a sensitive request only its owner has the text. */
const HAS_TEXT = "(o.owner IS NULL OR o.owner = ?2)";
const MAY_CLAIM = sql`o.destination = ?7 AND ${HAS_TEXT} AND o.operation NOT IN (${textsOf("?8")})`;

const FIRST = sql`SELECT o.id FROM outbox o
      WHERE o.account = ?1 AND o.state = 'queued' AND o.due IS NULL AND ${MAY_CLAIM} ORDER BY o.priority DESC, o.id LIMIT ?4`;

/** ?5 is the origin of the service. */
const CLAIM = statement("requests_claim")`
    UPDATE outbox SET state = 'sending', owner = ?2, sent_at = ?3, postponed = 0, claim = ?6
    WHERE id ${chosen(FIRST)}
    AND ${isStill("queued")} AND EXISTS (SELECT 1 FROM instances i WHERE i.id = ?2 AND i.expired_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM paused_accounts p WHERE p.account = ?1) AND NOT ${blocked("?5")}`;

const OF_CLAIM = statement("requests_of_claim")`
    SELECT o.id, o.job, o.part, o.operation, o.priority, o.attempts, o.content, o.node, o.result_owner, m.client_id, ${RECIPIENTS},
      p.not_after, p.idempotency_key, p.category, p.cost, p.zone
    FROM outbox o ${WITH_MESSAGE} WHERE ${CLAIMED} ORDER BY o.priority DESC, o.id`;

const RELEASE = entryStatement(
  "requests_release",
  {
    id: "bigint",
    due: "bigint",
    priority: "integer",
    attempts: "integer",
    postponed: "integer",
    owner: "text",
  },
  (e) => sql`
    UPDATE outbox SET state = 'queued', ${KEEP_TEXT_OWNER}, sent_at = NULL, due = ${e.due}, priority = ${e.priority},
      attempts = ${e.attempts}, postponed = ${e.postponed}
    ${withEntries("FROM")} WHERE ${isOfEntry("outbox.id", e.id)} AND outbox.state = 'sending' AND outbox.owner = ${e.owner}
    RETURNING outbox.id AS id`,
);

const RELEASE_OTHERS = statement("requests_release_others")`
    UPDATE outbox SET state = 'queued', ${KEEP_TEXT_OWNER}, sent_at = NULL, due = NULL
    WHERE account = ?3 AND state = 'sending' AND owner = ?1
      AND id NOT IN (${idsOf("?2")})
    RETURNING id`;

/** Who may send a request: only a claim, or `Jobs.acceptSending`, makes it leave, only its owner puts it back. Every call may throw StoreError. */
export class RequestClaims extends Repository {
  /**
   * Takes up to `most` requests that may leave, for this owner alone. They are `leaving` on the disk when this resolves.
   * Before their first byte leaves, the owner asks `Instances.mayLeave` again.
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
    const now = this.clock.now();
    const number = nextClaim();
    const { destination, limits, pausedOperations = [] } = guard;
    const scope = getScope(account, destination === SIMULATOR);
    const paused = JSON.stringify(pausedOperations);
    const [woken = [], , rows = [], ...found] = await this.engine.run(
      [
        call(WAKE_DUE, account, now, most + SLICE, destination),
        call(CLAIM, account, owner, now, most, origin, number, destination, paused),
        call(OF_CLAIM, owner, number),
        ...guardCalls(scope, owner, number, now, limits, true),
      ],
      [],
      limits === null ? "shared" : "alone",
    );
    const requests = rows.map(toClaimed);
    this.#notifyOfWoken(account, woken.length - requests.length);
    const guarded = requests.map(({ id, recipients, rules: { cost } }) => ({ id, recipients, cost }));
    const held = readBlocked(found, guarded, true, guard);
    return requests.map((each) => ({ ...each, held: held.get(each.id) ?? [] }));
  }

  /** Processes that looked at the same moment did not find what this one has woken and not taken. */
  #notifyOfWoken(account: string, left: number): void {
    if (left > 0 && !this.engine.exclusive) {
      // Those who miss it look from time to time.
      this.engine.run([], [queueTopic(account)]).catch(() => {});
    }
  }

  /** Puts requests back of which surely nothing has left. @returns ids of those that were this owner's */
  release(account: string, owner: string, released: readonly ReleasedRequest[]): Promise<readonly number[]> {
    const now = this.clock.now();
    const entries = released.map(({ id, delay, priority, attempts, postponed }) => {
      const due = delay > 0 ? Math.ceil(now + delay) : null;
      return [id, due, priority, attempts, postponed ? 1 : 0, owner];
    });
    const guarded = released.flatMap(({ id, guarded }) => (guarded ? [id] : []));
    const freed = guarded.length === 0 ? [] : giveBack(owner, guarded);
    return this.#putBack(account, [...freed, entryCall(RELEASE, entries)]);
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
  resultOwner: String(row.result_owner),
  node: String(row.node),
  part: Number(row.part),
  operation: String(row.operation),
  priority: Number(row.priority),
  attempts: Number(row.attempts),
  clientMessageId: textOrNull(row.client_id),
  content: textOrNull(row.content),
  recipients: readRecipients(row),
  rules: readRules(row),
  held: [],
});
