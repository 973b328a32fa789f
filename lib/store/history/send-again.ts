import type { Row } from "../engine/engine";
import { call } from "../engine/query";
import { Repository } from "../engine/repository";
import { RULE_COLUMNS } from "../guards/request-rules";
import { deliveryRank } from "../events/delivery-rank";
import { isSkip } from "./history-filter";
import { among, each, lookUp, type Sql, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { queueTopic } from "../schema/topics";
import { isSimulated, scopeSql, SIMULATOR } from "../schema/scope";

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

/** Entries of ?1, request and place, with the request `r`, its job `j` and the recipient `c`. */
const entries = sql`${each("?1")} ${lookUp("requests", "r", "r.id = CAST(e.value ->> 0 AS bigint)")}
    ${lookUp("jobs", "j", "j.id = r.job")}
    ${lookUp("recipients", "c", "c.request = r.id AND c.place = CAST(e.value ->> 1 AS integer)")}`;

/** A part that was not sent because its fields were wrong has its fault in place of fields. */
const NO_TEXT = `r.content IS NULL OR r.content LIKE '{"$verdict"%'`;

/** Messages of the account to a number after this one that are looked at; where there are more, one of them may have arrived. */
const MOST_LATER = 200;

/** These messages. */
const AFTER = `SELECT q.job, q.outcome FROM recipients w CROSS JOIN requests q
        WHERE w.number = c.number AND w.request > c.request AND q.id = w.request AND q.account = r.account AND q.job <> r.job
          AND (${isSimulated("q")}) = (${isSimulated("r")})
        ORDER BY w.request`;

/**
 * The account has another message to the same number after it that was sent, may have been, or may still be. One of its own node counts
 * whatever became of it: of those, only the newest is sent again.
 */
const LATER = `(EXISTS (SELECT 1 FROM (${AFTER} LIMIT ${MOST_LATER}) l CROSS JOIN jobs p
      WHERE p.id = l.job AND (p.node = j.node OR l.outcome IS NULL OR l.outcome IN ('sent', 'queued', 'unknown')))
    OR EXISTS (${AFTER} LIMIT 1 OFFSET ${MOST_LATER}))`;

/** A report says that it did not arrive, and will not. */
const NOT_DELIVERED = `c.delivery_rank = ${deliveryRank("failed")}`;

/** It has failed, and no rule kept it back: the service did not take it, or a report says that it did not arrive. */
const FAILED = `r.state = 'emitted' AND j.account = ?2 AND NOT (${isSkip("coalesce(r.answer, '')")})
    AND (r.outcome IN ('rejected', 'denied', 'retry-later') OR ${NOT_DELIVERED})`;

/** Why it is not sent again, its text last: keeping texts helps only those that nothing else keeps back; NULL where it is. @param now epoch ms @param destination of the account now */
const whyNot = (now: string, destination: string): string => `CASE
    WHEN NOT (${NOT_DELIVERED}) AND (r.proof_at IS NOT NULL OR c.delivery IS NOT NULL) THEN 'unknown'
    WHEN ${isSimulated("r")} AND ${destination} <> '${SIMULATOR}' THEN 'simulated'
    WHEN ${LATER} THEN 'later'
    WHEN r.useless_after <= CAST(${now} AS bigint) THEN 'expired'
    WHEN EXISTS (SELECT 1 FROM once_keys k WHERE k.number = c.number AND k.account = ${scopeSql("j.account", destination)} AND k.once_key = r.once_key
      AND k.until > CAST(${now} AS bigint)) THEN 'key'
    WHEN ${NO_TEXT} THEN 'text' END`;

const LOOK = statement("again_look")`
    SELECT r.id AS request, c.place, r.operation, r.outcome, CASE WHEN ${NO_TEXT} THEN NULL ELSE r.content END AS content,
      ${whyNot("?3", "CAST(?4 AS text)")} AS why
    FROM ${entries} WHERE ${FAILED}`;

// Those who do so at the same time follow each other: then it is later for the second one.
const LOCK = statement("again_lock")`
    UPDATE jobs SET sealed = sealed WHERE id ${among(sql`SELECT r.job FROM ${entries} WHERE j.account = ?2`)}`;

/** The entries that are sent again. @param more tables that are joined to them */
const chosenWith = (...more: readonly Sql[]): Sql =>
  sql`${entries} ${more.reduce((all, each) => sql`${all} ${each}`, sql``)}
    WHERE ${FAILED} AND ${whyNot("?4", "CAST(?5 AS text)")} IS NULL`;

// ?3 begin of the keys of the new jobs, ?4 now, ?5 destination of the account, ?6 result owner.
const ADD_JOBS = statement("again_add_jobs")`
    INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed)
    SELECT DISTINCT CAST(?3 AS text) || CAST(j.id AS text), j.account, j.node, CAST(?6 AS text), j.channel, CAST(?4 AS bigint), 1
    FROM ${chosenWith()}`;

/** The new job `n` of an old one. */
const NEW_JOB = lookUp("jobs", "n", "n.job_key = CAST(?3 AS text) || CAST(j.id AS text)");

const ADD_SNAPSHOTS = statement("again_add_snapshots")`
    INSERT INTO snapshots (job, snapshot)
    SELECT f.job, '{"again":true,' || substr(s.snapshot, 2)
    FROM (SELECT DISTINCT n.id AS job, j.id AS former FROM ${entries} ${NEW_JOB} WHERE j.account = ?2) f ${lookUp("snapshots", "s", "s.job = f.former")}`;

const COPIED = RULE_COLUMNS.map(([name]) => name).filter((name) => name !== "due" && name !== "postponed");

// What was scheduled for a time that has come may leave.
export const ADD_REQUESTS_AGAIN = statement("again_add_requests")`
    INSERT INTO requests (job, part, account, destination, operation, state, priority, attempts, client_message_id, content, due, ${COPIED.join(", ")})
    SELECT n.id, r.part, r.account, CAST(?5 AS text), r.operation, 'queued', r.priority, 0, r.client_message_id, r.content,
      CASE WHEN r.scheduled > CAST(?4 AS bigint) THEN r.scheduled END, ${COPIED.map((name) => `r.${name}`).join(", ")}
    FROM (SELECT DISTINCT r.id FROM ${chosenWith()}) f ${lookUp("requests", "r", "r.id = f.id")}
    ${lookUp("jobs", "j", "j.id = r.job")} ${NEW_JOB}`;

const ADD_RECIPIENTS = statement("again_add_recipients")`
    INSERT INTO recipients (request, place, number, person, delivery_rank)
    SELECT q.id, row_number() OVER (PARTITION BY q.id ORDER BY c.place) - 1, c.number, c.person, 0
    FROM ${chosenWith(NEW_JOB, lookUp("requests", "q", "q.job = n.id AND q.part = r.part"))} RETURNING place`;

// What is true of an entry may have changed from one of these statements to the next, where other processes write.
const DROP_REQUESTS = statement("again_drop_requests")`
    DELETE FROM requests WHERE id ${among(sql`SELECT q.id FROM ${entries} ${NEW_JOB} ${lookUp("requests", "q", "q.job = n.id")}
      WHERE j.account = ?2 AND NOT EXISTS (SELECT 1 FROM recipients o WHERE o.request = q.id)`)}`;
const emptyJobs = sql`SELECT n.id FROM ${entries} ${NEW_JOB}
      WHERE j.account = ?2 AND NOT EXISTS (SELECT 1 FROM requests q WHERE q.job = n.id)`;
const DROP_SNAPSHOTS = statement("again_drop_snapshots")`DELETE FROM snapshots WHERE job ${among(emptyJobs)}`;
const DROP_JOBS = statement("again_drop_jobs")`DELETE FROM jobs WHERE id ${among(emptyJobs)}`;

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
   * Takes messages again that surely reached nobody: with their fields, rules and ids, as new messages of the same node, each once,
   * whoever asks for it at the same time. Others of the entries are left as they are.
   * @param destination of the account now
   * @param key begin of the keys of the new jobs; unique for ever
   * @param resultOwner instance that emits their results
   * @returns recipients
   */
  async take(
    account: string,
    places: readonly RecipientPlace[],
    destination: string,
    key: string,
    resultOwner: string,
  ): Promise<number> {
    const list = JSON.stringify(places);
    const chosen = [list, account, key, this.clock.now(), destination] as const;
    const made = [list, account, key] as const;
    const { [TAKEN]: taken = [] } = await this.engine.run(
      [
        call(LOCK, list, account),
        call(ADD_JOBS, ...chosen, resultOwner),
        call(ADD_SNAPSHOTS, ...made),
        call(ADD_REQUESTS_AGAIN, ...chosen),
        call(ADD_RECIPIENTS, ...chosen),
        call(DROP_REQUESTS, ...made),
        call(DROP_SNAPSHOTS, ...made),
        call(DROP_JOBS, ...made),
      ],
      [queueTopic(account)],
    );
    return taken.length;
  }
}

/** Place of `ADD_RECIPIENTS` among the calls. */
const TAKEN = 4;

const toEntry = ({ request, place, operation, outcome, content, why }: Row): AgainEntry => ({
  request: Number(request),
  place: Number(place),
  operation: String(operation),
  mayRetry: outcome === "retry-later",
  content: content === null ? null : String(content),
  why: why as NotAgain | null,
});
