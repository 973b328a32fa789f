import type { Row } from "../engine/engine";
import { call } from "../engine/query";
import { Repository } from "../engine/repository";
import { RULE_COLUMNS } from "../guards/request-rules";
import { isSkip } from "./history-search";
import { sealedSql } from "../schema/sealed-text";
import { among, each, lookUp, type Sql, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { queueTopic } from "../schema/topics";

/** A recipient of a request. */
export type RecipientPlace = readonly [request: number, place: number];

/** Why a message is not sent again that surely reached nobody: its text was not kept, or its node has sent to the same number since. */
export type NotAgain = "text" | "later";

/** One of them, as it would be sent again. */
export interface AgainEntry {
  readonly request: number;
  readonly place: number;
  readonly why: NotAgain | null;
  readonly operation: string;
  /** Its fields as JSON; null where they were not kept. */
  readonly content: string | null;
}

/** Entries of ?1, request and place, with the request `r`, its job `j` and the recipient `c`. */
const entries = sql`${each("?1")} ${lookUp("requests", "r", "r.id = CAST(e.value ->> 0 AS bigint)")}
    ${lookUp("jobs", "j", "j.id = r.job")}
    ${lookUp("recipients", "c", "c.request = r.id AND c.place = CAST(e.value ->> 1 AS integer)")}`;

/** A part that was not sent because its fields were wrong has its fault in place of fields. */
const NO_TEXT = `r.content IS NULL OR ${sealedSql("r.content")} OR r.content LIKE '{"$verdict"%'`;

/** Its node has taken another message to the same number after it, whatever became of that: this one is sent again once. */
const LATER = `EXISTS (SELECT 1 FROM recipients o CROSS JOIN requests q CROSS JOIN jobs p
      WHERE o.number = c.number AND o.request > c.request AND q.id = o.request AND p.id = q.job AND p.id <> j.id
        AND p.account = j.account AND p.node = j.node)`;

/** It surely reached nobody: it was not taken by the service, for another reason than a rule, or a report says so at last. */
const FAILED = `r.state = 'emitted' AND j.account = ?2 AND NOT (${isSkip("coalesce(r.answer, '')")})
    AND (r.outcome IN ('rejected', 'denied', 'retry-later') OR c.delivery IN ('failed', 'expired', 'deleted', 'rejected'))`;

const LOOK = statement("again_look")`
    SELECT r.id AS request, c.place, r.operation, CASE WHEN ${NO_TEXT} THEN NULL ELSE r.content END AS content,
      CASE WHEN ${NO_TEXT} THEN 'text' WHEN ${LATER} THEN 'later' END AS why
    FROM ${entries} WHERE ${FAILED}`;

// Those who do so at the same time follow each other: then it is later for the second one.
const LOCK = statement("again_lock")`
    UPDATE jobs SET sealed = sealed WHERE id ${among(sql`SELECT r.job FROM ${entries} WHERE j.account = ?2`)}`;

/** The entries that are sent again. @param more tables that are joined to them */
const chosenWith = (...more: readonly Sql[]): Sql =>
  sql`${entries} ${more.reduce((all, each) => sql`${all} ${each}`, sql``)} WHERE ${FAILED} AND NOT (${NO_TEXT}) AND NOT ${LATER}`;

// ?3 begin of the keys of the new jobs, ?4 result owner, ?5 now.
const ADD_JOBS = statement("again_add_jobs")`
    INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed)
    SELECT DISTINCT CAST(?3 AS text) || CAST(j.id AS text), j.account, j.node, CAST(?4 AS text), j.channel, CAST(?5 AS bigint), 1
    FROM ${chosenWith()}`;

/** The new job `n` of an old one. */
const NEW_JOB = lookUp("jobs", "n", "n.job_key = CAST(?3 AS text) || CAST(j.id AS text)");

const ADD_SNAPSHOTS = statement("again_add_snapshots")`
    INSERT INTO snapshots (job, snapshot)
    SELECT f.job, s.snapshot
    FROM (SELECT DISTINCT n.id AS job, j.id AS former FROM ${entries} ${NEW_JOB} WHERE j.account = ?2) f ${lookUp("snapshots", "s", "s.job = f.former")}
    WHERE NOT (${sealedSql("s.snapshot")})`;

const COPIED = RULE_COLUMNS.map(([name]) => name).filter((name) => name !== "due" && name !== "postponed");

// What was scheduled for a time that has come may leave. ?4 now.
const ADD_REQUESTS = statement("again_add_requests")`
    INSERT INTO requests (job, part, account, operation, state, priority, attempts, client_message_id, content, due, ${COPIED.join(", ")})
    SELECT n.id, r.part, r.account, r.operation, 'queued', r.priority, 0, r.client_message_id, r.content,
      CASE WHEN r.scheduled > CAST(?4 AS bigint) THEN r.scheduled END, ${COPIED.map((name) => `r.${name}`).join(", ")}
    FROM (SELECT DISTINCT r.id FROM ${chosenWith()}) f ${lookUp("requests", "r", "r.id = f.id")}
    ${lookUp("jobs", "j", "j.id = r.job")} ${NEW_JOB}`;

const ADD_RECIPIENTS = statement("again_add_recipients")`
    INSERT INTO recipients (request, place, number, person, delivery_rank)
    SELECT q.id, row_number() OVER (PARTITION BY q.id ORDER BY c.place) - 1, c.number, c.person, 0
    FROM ${chosenWith(NEW_JOB, lookUp("requests", "q", "q.job = n.id AND q.part = r.part"))} RETURNING place`;

/** Sends messages again that surely reached nobody. Every call may throw StoreError. */
export class SendAgain extends Repository {
  /** Those of the entries that surely reached nobody, in any order. */
  async look(account: string, places: readonly RecipientPlace[]): Promise<readonly AgainEntry[]> {
    const [rows = []] = await this.engine.read([call(LOOK, JSON.stringify(places), account)]);
    return rows.map(toEntry);
  }

  /**
   * Takes messages again that surely reached nobody and whose node has taken none to the same number since: with their fields, rules
   * and ids, as new messages of the same node, each once, whoever asks for it at the same time.
   * @param key begin of the keys of the new jobs; unique for ever
   * @param resultOwner instance that emits their results
   * @returns recipients
   */
  async take(
    account: string,
    places: readonly RecipientPlace[],
    key: string,
    resultOwner: string,
  ): Promise<number> {
    const list = JSON.stringify(places);
    const now = this.clock.now();
    const results = await this.engine.run(
      [
        call(LOCK, list, account),
        call(ADD_JOBS, list, account, key, resultOwner, now),
        call(ADD_SNAPSHOTS, list, account, key),
        call(ADD_REQUESTS, list, account, key, now),
        call(ADD_RECIPIENTS, list, account, key),
      ],
      [queueTopic(account)],
    );
    return results.at(-1)?.length ?? 0;
  }
}

const toEntry = ({ request, place, operation, content, why }: Row): AgainEntry => ({
  request: Number(request),
  place: Number(place),
  operation: String(operation),
  content: content === null ? null : String(content),
  why: why as NotAgain | null,
});
