import { cancelNode } from "./cancel-node";
import { type Cancelled, cancelSlice, cancelText, NOT_LEFT } from "./cancel-requests";
import { NO_NODE } from "../schema/stored-values";
import { openPages, parkedPages } from "./open-pages";
import type { JobPart } from "./recovery";
import { checked, isStill, numbersOf } from "../schema/expressions";
import { chosen, idsOf, jobsOf, type Sql, sql, textsOf } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";
import { sliced } from "../engine/sliced";
import { call, changeInSlices, rowOf, rowsOf, textOrNull } from "../engine/query";
import { Repository } from "../engine/repository";
import { queueTopic, stopTopic } from "../schema/topics";

const PAUSE = statement("queue_pause")`
    INSERT INTO paused_accounts (account, at) VALUES (?1, ?2) ON CONFLICT (account) DO NOTHING`;
const RESUME = statement("queue_resume")`DELETE FROM paused_accounts WHERE account = ?1`;
const PAUSED = statement("queue_paused")`SELECT at FROM paused_accounts WHERE account = ?1`;

/** Changes requests of a job ?1 that are in a state, ?2 at most. */
const changed = (name: string, from: "queued" | "held" | "parked" | "settled", set: string): Statement =>
  statement(name)`
    UPDATE requests SET ${set} WHERE id ${chosen(sql`
      SELECT r.id FROM requests r WHERE r.job = ?1 AND r.state = '${from}' AND r.state <> 'emitted'
      ORDER BY r.part LIMIT ?2`)} AND ${isStill(from)} RETURNING id`;

const HOLD_JOB = changed("queue_hold_job", "queued", "state = 'held', due = NULL");
// It waits for the time before which it may not leave, but not for its next attempt.
const RESUME_JOB = changed("queue_resume_job", "held", "state = 'queued', due = scheduled");
const UNPARK_JOB = changed("queue_unpark_job", "parked", "state = 'queued', due = scheduled");
const REDIRECT_JOB = statement("queue_redirect_job")`
    UPDATE requests SET destination = ?3 WHERE id ${chosen(sql`
      SELECT r.id FROM requests r WHERE r.job = ?1 AND ${NOT_LEFT} AND r.destination <> ?3
      ORDER BY r.part LIMIT ?2`)} AND ${isStill("queued", "held", "parked")} RETURNING id`;
const DROP_RESULTS = changed("queue_drop_results", "settled", "state = 'emitted', emitted_at = ?3");

/** Requests in a state of jobs of a page whose node exists, or does not, in this process or in another one. ?4 ids of the jobs. */
const ofNodes = (state: string, exists: "" | "NOT"): Sql => sql`
    SELECT r.id FROM ${jobsOf("?4")} CROSS JOIN requests r
    WHERE j.account = ?1 AND j.node <> '' AND ${exists} (
      j.node IN (${textsOf("?3", "own")})
      OR EXISTS (SELECT 1 FROM instance_nodes n JOIN instances i ON i.id = n.instance
        WHERE n.account = ?1 AND n.node = j.node AND i.dead_at IS NULL))
      AND r.job = j.id AND ${checked("r.state")} = '${state}' AND r.state <> 'emitted' LIMIT ?2`;

const PARK = statement("queue_park")`
    UPDATE requests SET state = 'parked' WHERE id ${chosen(ofNodes("queued", "NOT"), "r")} AND ${isStill("queued")} RETURNING id`;
const UNPARK = statement("queue_unpark")`
    UPDATE requests SET state = 'queued' WHERE id ${chosen(ofNodes("parked", ""), "r")} AND ${isStill("parked")} RETURNING id`;

const CANCEL_JOB = statement("queue_cancel_job", cancelText(`r.job = ?1 AND ${NOT_LEFT}`));
/** Everything of an account, by the indexes that find it. */
const CANCEL_ACCOUNT = Object.entries({
  ready: "r.state = 'queued' AND r.due IS NULL",
  waiting: "r.state = 'queued' AND r.due IS NOT NULL",
  held: "r.state = 'held'",
  parked: "r.state = 'parked'",
}).map(([name, which]) => statement(`queue_cancel_${name}`, cancelText(`r.account = ?1 AND ${which}`)));

const DETACH = statement("queue_detach")`UPDATE jobs SET node = '${NO_NODE}' WHERE id = ?1`;
const FORGET_SNAPSHOT = statement("queue_forget_snapshot")`DELETE FROM snapshots WHERE job = ?1`;

const STATES = statement("queue_states")`
    SELECT r.job, r.state, count(*) AS requests, min(coalesce(r.due, 0)) AS due,
      min(r.destination) AS destination FROM requests r
    WHERE r.state <> 'emitted' AND r.job IN (${idsOf("?1")})
    GROUP BY r.job, r.state ORDER BY CASE WHEN r.state IN ('leaving', 'settled') THEN 1 ELSE 0 END`;

const UNSENT = statement("queue_unsent")`
    SELECT r.part, r.operation, r.client_message_id, r.content,
      ${numbersOf("r.id")} AS numbers
    FROM requests r JOIN jobs j ON j.id = r.job
    WHERE r.job = ?1 AND j.account = ?2 AND r.part > ?3 AND r.state IN ('queued', 'held', 'parked') AND r.state <> 'emitted'
    ORDER BY r.part LIMIT ?4`;

/** Requests of a job that are not done, by state. */
export type JobStates = Readonly<Partial<Record<Exclude<JobPart["state"], "emitted">, number>>>;

/** What is not done of a job. */
export interface JobStanding {
  readonly states: JobStates;
  /** Epoch ms before which none of its queued requests may leave; null where one may leave at once, or none is queued. */
  readonly due: number | null;
  /** Of its requests that have not left, if there are any. */
  readonly destination: string;
}

/** A request that has not left, as it was taken. */
export interface UnsentRequest {
  readonly part: number;
  readonly operation: string;
  readonly clientMessageId: string | null;
  /** Its fields as JSON; null for a sensitive message. */
  readonly content: string | null;
  readonly recipients: readonly string[];
}

/** What a person does with the queue. What is leaving is not touched by any of it. Every call may throw StoreError. */
export class QueueControl extends Repository {
  /** Nothing of the account is claimed, until `resume`; in all processes, and after restarts too. */
  async pause(account: string): Promise<void> {
    await this.engine.run([call(PAUSE, account, this.clock.now())], [stopTopic(account)]);
  }

  async resume(account: string): Promise<void> {
    await this.engine.run([call(RESUME, account)], [queueTopic(account), stopTopic(account)]);
  }

  /** Epoch ms since when the account is paused; null where it is not. */
  async pausedSince(account: string): Promise<number | null> {
    const row = await rowOf(this.engine, PAUSED, account);
    return row === undefined ? null : Number(row.at);
  }

  /** Holds what of a job has not left. @returns number of requests */
  holdJob(job: number): Promise<number> {
    return changeInSlices(this.engine, HOLD_JOB, [job]);
  }

  /** Sends what of a job has not left to another destination. @returns number of requests */
  redirectJob(job: number, account: string, destination: string): Promise<number> {
    return changeInSlices(this.engine, REDIRECT_JOB, [job, destination], [queueTopic(account)]);
  }

  /** @returns number of requests that may leave again */
  resumeJob(job: number, account: string): Promise<number> {
    return changeInSlices(this.engine, RESUME_JOB, [job], [queueTopic(account)]);
  }

  /**
   * Sets aside what would leave for nodes that no process runs, and lets go on what was set aside for nodes that are back.
   * @param nodes the ones of this process; those of others are in the store, see `Instances.runs`
   * @returns number of requests set aside
   */
  async park(account: string, nodes: readonly string[]): Promise<number> {
    const list = JSON.stringify(nodes);
    await parkedPages(this.engine, account, async (jobs) => {
      await changeInSlices(this.engine, UNPARK, [account, list, jobs], [queueTopic(account)]);
    });
    let parked = 0;
    await openPages(this.engine, async (jobs) => {
      parked += await changeInSlices(this.engine, PARK, [account, list, jobs]);
    });
    return parked;
  }

  /** Settles what of a job has not left; its results are emitted like others. @returns number of requests */
  cancelJob(job: number, cancelled: Cancelled): Promise<number> {
    return this.#cancel(CANCEL_JOB, job, cancelled);
  }

  /** Settles everything of an account that has not left. @returns number of requests */
  async cancelAccount(account: string, cancelled: Cancelled): Promise<number> {
    let total = 0;
    for (const each of CANCEL_ACCOUNT) {
      total += await this.#cancel(each, account, cancelled);
    }
    return total;
  }

  /**
   * Settles what of a node has not left, in any process.
   * @param keys client message ids, of a whole message or a part of it, and once keys; null for everything
   * @returns number of requests
   */
  cancelNode(
    account: string,
    node: string,
    keys: readonly string[] | null,
    cancelled: Cancelled,
  ): Promise<number> {
    return cancelNode(this.engine, this.clock, account, node, keys, cancelled);
  }

  /**
   * Lets a job without a node go on without one: it is sent, and nobody gets its results, which stay in the history.
   * @returns number of requests that may leave now
   */
  async releaseJob(job: number, account: string): Promise<number> {
    await this.#detach(job);
    return changeInSlices(this.engine, UNPARK_JOB, [job], [queueTopic(account)]);
  }

  /**
   * Gives a job without a node up: what has not left never leaves, and nobody gets its results, which stay in the history.
   * @returns number of requests that were cancelled
   */
  async discardJob(job: number, cancelled: Cancelled): Promise<number> {
    await this.#detach(job);
    return this.cancelJob(job, cancelled);
  }

  /** States of these jobs; those of which everything is emitted are left out. */
  async states(jobs: readonly number[]): Promise<ReadonlyMap<number, JobStanding>> {
    const rows = await rowsOf(this.engine, STATES, JSON.stringify(jobs));
    const found = new Map<
      number,
      { states: Record<string, number>; due: number | null; destination: string }
    >();
    for (const { job, state, requests, due, destination } of rows) {
      const standing = found.get(Number(job)) ?? { states: {}, due: null, destination: String(destination) };
      standing.states[String(state)] = Number(requests);
      if (state === "queued") {
        standing.due = Number(due) || null;
      }
      found.set(Number(job), standing);
    }
    return found;
  }

  /**
   * A page of what of a job has not left.
   * @param after part of the last one of the page before; -1 for the first page
   */
  async unsent(job: number, account: string, after: number, most: number): Promise<readonly UnsentRequest[]> {
    const rows = await rowsOf(this.engine, UNSENT, job, account, after, most);
    return rows.map(({ part, operation, client_message_id: clientMessageId, content, numbers }) => ({
      part: Number(part),
      operation: String(operation),
      clientMessageId: textOrNull(clientMessageId),
      content: textOrNull(content),
      recipients: JSON.parse(String(numbers ?? "[]")) as string[],
    }));
  }

  /** From now on nobody gets results of the job, and those that are there count as emitted. */
  async #detach(job: number): Promise<void> {
    await this.engine.run([call(DETACH, job), ...(this.keepTexts ? [] : [call(FORGET_SNAPSHOT, job)])]);
    await changeInSlices(this.engine, DROP_RESULTS, [job, this.clock.now()]);
  }

  #cancel(change: Statement, which: string | number, cancelled: Cancelled): Promise<number> {
    const { engine, clock } = this;
    return sliced(
      async (most) => (await cancelSlice(engine, clock, change, cancelled, [which, most])).length,
    );
  }
}
