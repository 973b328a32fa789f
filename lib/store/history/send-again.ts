import type { Row } from "../engine/engine";
import { call } from "../engine/query";
import { Repository } from "../engine/repository";
import { deliveryRank } from "../events/delivery-rank";
import { RULE_NAMES } from "../guards/request-rules";
import { isPerson, personOf } from "../schema/person";
import { scopeSql, SIMULATOR } from "../schema/scope";
import { among, each, lookUp, lookUpIfAny, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { queueTopic } from "../schema/topics";
import { isSkip } from "./history-filter";

/** A recipient of a request. */
export type RecipientPlace = readonly [request: number, place: number];

/**
 * Why a message that failed is not sent again: a report contradicts its outcome, only the simulator had it, the person has got or may get
 * another one since, it is too late for it, its once key is in use, or its text was not kept.
 */
export type NotAgain = "unknown" | "simulated" | "later" | "expired" | "key" | "text";

/** One of them, as it would be sent again. */
export interface AgainEntry {
  readonly request: number;
  readonly place: number;
  readonly why: NotAgain | null;
  readonly operation: string;
  /** Whether a flow may try it again by itself. */
  readonly mayRetry: boolean;
  /** Its fields as JSON; null where they were not kept. */
  readonly content: string | null;
}

/** Entries of ?1, request and place, with the message `m` and, in a list, the recipient `c`. */
const entries = sql`${each("?1")} ${lookUp("messages", "m", "m.id = CAST(e.value ->> 0 AS bigint)")}
    ${lookUpIfAny("recipients", "c", "c.request = m.id AND c.idx = CAST(e.value ->> 1 AS integer)")}
    ${lookUpIfAny("policies", "p", "p.id = m.id")} ${lookUpIfAny("texts", "t", "t.id = m.id")}`;
const NUMBER = "coalesce(m.recipient, c.recipient)";
const IS_THERE =
  "(c.request IS NOT NULL OR (m.recipient IS NOT NULL AND CAST(e.value ->> 1 AS integer) = 0))";

/** A part that was not sent because its fields were wrong has its fault in place of fields. */
const NO_TEXT = `t.content IS NULL OR t.content LIKE '{"$verdict"%'`;

/** Messages of the account to a number after this one that are looked at; where there are more, one of them may have arrived. */
const MOST_LATER = 200;

/** These messages, each way in the order of an index. */
const OTHERS = "q.account = m.account AND q.job <> m.job AND q.simulated = m.simulated";
const AFTER = [
  `SELECT q.node, q.outcome FROM messages q WHERE ${isPerson("q.recipient", NUMBER)} AND q.id > m.id AND ${OTHERS} ORDER BY q.id`,
  `SELECT q.node, q.outcome FROM recipients w CROSS JOIN messages q
    WHERE ${isPerson("w.recipient", NUMBER)} AND w.request > m.id AND q.id = w.request AND ${OTHERS} ORDER BY w.request`,
];

/**
 * The account has another message to the same number after it that was sent, may have been, or may still be. One of its own node counts
 * whatever became of it: of those, only the newest is sent again.
 */
const LATER = AFTER.map(
  (after) => `EXISTS (SELECT 1 FROM (${after} LIMIT ${MOST_LATER}) l
      WHERE l.node = m.node OR l.outcome IS NULL OR l.outcome IN ('sent', 'queued', 'unknown'))
    OR EXISTS (${after} LIMIT 1 OFFSET ${MOST_LATER})`,
).join(" OR ");

/** A report says that it did not arrive, and will not. */
const NOT_DELIVERED = `coalesce(c.delivery_rank, m.delivery_rank) = ${deliveryRank("failed")}`;

/** It has failed, and no rule kept it back: the service did not take it, or a report says that it did not arrive. */
const FAILED = `${IS_THERE} AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.id = m.id) AND m.account = ?2
    AND NOT (${isSkip("coalesce(m.response, '')")}) AND (m.outcome IN ('rejected', 'denied', 'retry-later') OR ${NOT_DELIVERED})`;

/** Why it is not sent again, its text last: keeping texts helps only those that nothing else keeps back; NULL where it is. @param now epoch ms @param destination of the account now */
const whyNot = (now: string, destination: string): string => `CASE
    WHEN NOT (${NOT_DELIVERED}) AND (m.confirmed_at IS NOT NULL OR coalesce(c.delivery, m.delivery) IS NOT NULL) THEN 'unknown'
    WHEN m.simulated = 1 AND ${destination} <> '${SIMULATOR}' THEN 'simulated'
    WHEN ${LATER} THEN 'later'
    WHEN p.not_after <= CAST(${now} AS bigint) THEN 'expired'
    WHEN EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.number = ${personOf(NUMBER)} AND k.account = ${scopeSql("m.account", destination)}
      AND k.idempotency_key = p.idempotency_key AND k.until > CAST(${now} AS bigint)) THEN 'key'
    WHEN ${NO_TEXT} THEN 'text' END`;

const LOOK = statement("again_look")`
    SELECT m.id AS request, CAST(e.value ->> 1 AS integer) AS place, m.operation, m.outcome,
      CASE WHEN ${NO_TEXT} THEN NULL ELSE t.content END AS content, ${whyNot("?3", "CAST(?4 AS text)")} AS why
    FROM ${entries} WHERE ${FAILED}`;

// Those who do so at the same time follow each other: then it is later for the second one.
const LOCK = statement("again_lock")`
    UPDATE messages SET account = account WHERE id ${among(sql`SELECT m.id FROM ${entries} WHERE m.account = ?2`)}`;

// Entries: request, place, id of the new one. ?3 now, ?4 destination of the account. The others go by what this one has added.
const ADD_RECIPIENTS = statement("again_add_recipients")`
    INSERT INTO recipients (request, idx, recipient)
    SELECT f.id, row_number() OVER (PARTITION BY f.id ORDER BY f.place) - 1, f.number FROM (
      SELECT CAST(e.value ->> 2 AS bigint) AS id, CAST(e.value ->> 1 AS integer) AS place, ${NUMBER} AS number
      FROM ${entries} WHERE ${FAILED} AND ${whyNot("?3", "CAST(?4 AS text)")} IS NULL) f
    RETURNING idx`;

/** The ids `n` of new requests with the messages `m` that they repeat. Entries: request, new id. */
const REPEATED = sql`(SELECT CAST(e.value ->> 0 AS bigint) AS request, CAST(e.value ->> 1 AS bigint) AS id FROM ${each("?1")}) n
    ${lookUp("messages", "m", "m.id = n.request")}`;
const IS_ADDED = "EXISTS (SELECT 1 FROM recipients x WHERE x.request = n.id)";

const ADD_JOBS = statement("again_add_jobs")`
    INSERT INTO jobs (id, account, node, result_owner, committed, snapshot)
    SELECT n.id, m.account, m.node, CAST(?2 AS text), 1, '{"again":true,' || substr(coalesce(
      (SELECT t.snapshot FROM texts t WHERE t.id = m.id), (SELECT t.snapshot FROM texts t WHERE t.id = m.job),
      (SELECT j.snapshot FROM jobs j WHERE j.id = m.job)), 2)
    FROM ${REPEATED} WHERE ${IS_ADDED}`;

const ADD_MESSAGES = statement("again_add_messages")`
    INSERT INTO messages (id, job, part, account, simulated, node, channel, operation, accepted_at, recipient_name, client_id)
    SELECT n.id, n.id, 0, m.account, CASE WHEN CAST(?3 AS text) = '${SIMULATOR}' THEN 1 ELSE 0 END, m.node, m.channel, m.operation,
      CAST(?2 AS bigint), m.recipient_name, m.client_id
    FROM ${REPEATED} WHERE ${IS_ADDED}`;

// What was scheduled for a time that has come may be sent.
export const ADD_OUTBOX_AGAIN = statement("again_add_outbox")`
    INSERT INTO outbox (id, job, part, account, destination, operation, node, state, result_owner, priority, due, scheduled, attempts, content)
    SELECT n.id, n.id, 0, m.account, CAST(?3 AS text), m.operation, m.node, 'queued', CAST(?4 AS text), 0,
      CASE WHEN p.scheduled > CAST(?2 AS bigint) THEN p.scheduled END, p.scheduled, 0, (SELECT t.content FROM texts t WHERE t.id = m.id)
    FROM ${REPEATED} ${lookUpIfAny("policies", "p", "p.id = m.id")} WHERE ${IS_ADDED}`;

const ADD_POLICIES = statement("again_add_policies")`
    INSERT INTO policies (id, ${RULE_NAMES.join(", ")}) SELECT n.id, ${RULE_NAMES.map((name) => `p.${name}`).join(", ")}
    FROM ${REPEATED} ${lookUp("policies", "p", "p.id = m.id")} WHERE ${IS_ADDED}`;

/** Sends messages again that surely reached nobody. Every call may throw StoreError. */
export class SendAgain extends Repository {
  /** Those of the entries that have failed, in any order. @param destination of the account now */
  async look(
    account: string,
    places: readonly RecipientPlace[],
    destination: string,
  ): Promise<readonly AgainEntry[]> {
    const list = JSON.stringify(places);
    const values = [list, account, this.clock.now(), destination] as const;
    const [rows = []] = await this.engine.read([call(LOOK, ...values)]);
    return rows.map(toEntry);
  }

  /**
   * Accepts messages again that surely reached nobody: with their fields, rules and ids, as new messages of the same node, each once,
   * whoever asks for it at the same time. Others of the entries are left as they are.
   * @param destination of the account now
   * @param resultOwner instance that emits their results
   * @returns recipients
   */
  async take(
    account: string,
    places: readonly RecipientPlace[],
    destination: string,
    resultOwner: string,
  ): Promise<number> {
    const requests = [...new Set(places.map(([request]) => request))];
    const ids = await this.ids.take(requests.length);
    const newIds = new Map(requests.map((request, at) => [request, ids[at] as number]));
    const chosen = JSON.stringify(places.map(([request, place]) => [request, place, newIds.get(request)]));
    const repeated = JSON.stringify([...newIds]);
    const now = this.clock.now();
    const [, added = []] = await this.engine.run(
      [
        call(LOCK, chosen, account),
        call(ADD_RECIPIENTS, chosen, account, now, destination),
        call(ADD_JOBS, repeated, resultOwner),
        call(ADD_MESSAGES, repeated, now, destination),
        call(ADD_OUTBOX_AGAIN, repeated, now, destination, resultOwner),
        call(ADD_POLICIES, repeated),
      ],
      [queueTopic(account)],
    );
    return added.length;
  }
}

const toEntry = ({ request, place, operation, outcome, content, why }: Row): AgainEntry => ({
  request: Number(request),
  place: Number(place),
  operation: String(operation),
  mayRetry: outcome === "retry-later",
  content: content === null ? null : String(content),
  why: why as NotAgain | null,
});
