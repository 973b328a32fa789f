import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/engine";
import { call, changeInSlices, rowOf, rowsOf, textOrNull } from "../engine/query";
import { Repository } from "../engine/repository";
import { sliced } from "../engine/sliced";
import { checked, isStill, type State } from "../schema/expressions";
import { chosen, each, idOf, idsOf, lookUp, type Sql, sql, textsOf } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";
import { queueTopic, stopTopic } from "../schema/topics";
import { cancelNode } from "./cancel-node";
import { type Cancelled, cancelling, cancelSlice, NOT_SENT, type Settling } from "./cancel-requests";
import { NO_NODE, readRecipients, RECIPIENTS } from "./job-statements";
import { openPages, orphanedPages } from "./open-pages";
import type { JobPart } from "./recovery";
import type { Settlements } from "./settlements";

const PAUSE = statement("queue_pause")`
    INSERT INTO paused_accounts (account, at) VALUES (?1, ?2) ON CONFLICT (account) DO NOTHING`;
const RESUME = statement("queue_resume")`DELETE FROM paused_accounts WHERE account = ?1`;
const PAUSED = statement("queue_paused")`SELECT at FROM paused_accounts WHERE account = ?1`;

/** Changes requests of a job ?1 that are in some of these states, ?2 at most. */
const changed = (name: string, from: readonly State[], set: string, further = ""): Statement =>
  statement(name)`
    UPDATE outbox SET ${set} WHERE id ${chosen(sql`
      SELECT o.id FROM outbox o WHERE o.job = ?1 AND o.state IN (${from.map((each) => `'${each}'`).join(", ")}) ${further}
      ORDER BY o.part LIMIT ?2`)} AND ${isStill(...from)} RETURNING id`;

const PAUSE_JOB = changed("queue_pause_job", ["queued"], "state = 'paused', due = NULL");
// It waits for the time before which it may not be sent, but not for its next attempt.
const RESUME_JOB = changed("queue_resume_job", ["paused"], "state = 'queued', due = scheduled");
const RELEASE_JOB = changed("queue_release_job", ["orphaned"], "state = 'queued', due = scheduled");
const REDIRECT_JOB = changed(
  "queue_redirect_job",
  ["queued", "paused", "orphaned"],
  "destination = ?3",
  "AND o.destination <> ?3",
);

/** Requests in a state of jobs of a page whose node exists, or does not, in this process or in another one. ?4 ids of the jobs. */
const ofNodes = (state: string, exists: "" | "NOT"): Sql => sql`
    SELECT o.id FROM ${each("?4")} ${lookUp("outbox", "o", sql`o.job = ${idOf()}`)}
    WHERE o.account = ?1 AND o.node <> '' AND ${checked("o.state")} = '${state}' AND ${exists} (
      o.node IN (${textsOf("?3", "own")})
      OR EXISTS (SELECT 1 FROM instance_nodes n JOIN instances i ON i.id = n.instance
        WHERE n.account = ?1 AND n.node = o.node AND i.expired_at IS NULL)) LIMIT ?2`;

const ORPHAN = statement("queue_orphan")`
    UPDATE outbox SET state = 'orphaned' WHERE id IN (${ofNodes("queued", "NOT")}) AND ${isStill("queued")} RETURNING id`;
const ADOPT = statement("queue_adopt")`
    UPDATE outbox SET state = 'queued' WHERE id IN (${ofNodes("orphaned", "")}) AND ${isStill("orphaned")} RETURNING id`;

const CANCEL_JOB = cancelling("queue_cancel_job", `o.job = ?2 AND ${NOT_SENT}`, 2, "ORDER BY o.part");
/** Everything of an account, by the indexes that find it. */
const CANCEL_ACCOUNT = Object.entries({
  ready: "o.state = 'queued' AND o.due IS NULL",
  waiting: "o.state = 'queued' AND o.due IS NOT NULL",
  paused: "o.state = 'paused'",
  orphaned: "o.state = 'orphaned'",
}).map(([name, which]) => cancelling(`queue_cancel_${name}`, `o.account = ?2 AND ${which}`, 2, ""));

const DETACH_JOB = statement("queue_detach_job")`UPDATE jobs SET node = '${NO_NODE}' WHERE id = ?1`;
const DETACH = statement("queue_detach")`
    UPDATE outbox SET node = '${NO_NODE}' WHERE id IN (
      SELECT o.id FROM outbox o WHERE o.job = ?1 AND o.node <> '${NO_NODE}' LIMIT ?2) RETURNING id`;
const SETTLED = statement(
  "queue_settled",
)`SELECT o.id FROM outbox o WHERE o.job = ?1 AND o.state = 'settled' LIMIT ?2`;

const STATES = statement("queue_states")`
    SELECT o.job, o.state, count(*) AS requests, min(coalesce(o.due, 0)) AS due, min(o.destination) AS destination
    FROM outbox o WHERE o.job IN (${idsOf("?1")}) GROUP BY o.job, o.state
    ORDER BY CASE WHEN o.state IN ('sending', 'settled') THEN 1 ELSE 0 END`;

const UNSENT = statement("queue_unsent")`
    SELECT o.part, o.operation, m.client_id, o.content, ${RECIPIENTS}
    FROM outbox o ${lookUp("messages", "m", "m.id = o.id")}
    WHERE o.job = ?1 AND o.account = ?2 AND o.part > ?3 AND ${NOT_SENT} ORDER BY o.part LIMIT ?4`;

/** Requests of a job that are not done, by state. */
export type JobStates = Readonly<Partial<Record<Exclude<JobPart["state"], "emitted">, number>>>;

/** What is not done of a job. */
export interface JobStanding {
  readonly states: JobStates;
  /** Epoch ms before which none of its queued requests may leave; null where one may leave at once, or none is queued. */
  readonly due: number | null;
  /** Of its requests that were not sent, if there are any. */
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
  constructor(
    engine: Engine,
    clock: Clock,
    private readonly settlements: Settlements,
  ) {
    super(engine, clock);
  }

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
    return changeInSlices(this.engine, PAUSE_JOB, [job]);
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
    await orphanedPages(this.engine, account, async (jobs) => {
      await changeInSlices(this.engine, ADOPT, [account, list, jobs], [queueTopic(account)]);
    });
    let parked = 0;
    await openPages(this.engine, async (jobs) => {
      parked += await changeInSlices(this.engine, ORPHAN, [account, list, jobs]);
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
    return changeInSlices(this.engine, RELEASE_JOB, [job], [queueTopic(account)]);
  }

  /**
   * Gives a job without a node up: what has not left never leaves, and nobody gets its results, which stay in the history.
   * @returns number of requests that were cancelled
   */
  async discardJob(job: number, cancelled: Cancelled): Promise<number> {
    const count = await this.cancelJob(job, cancelled);
    await this.#detach(job);
    return count;
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
    return rows.map((row) => ({
      part: Number(row.part),
      operation: String(row.operation),
      clientMessageId: textOrNull(row.client_id),
      content: textOrNull(row.content),
      recipients: readRecipients(row),
    }));
  }

  /** From now on nobody gets results of the job, and those that are there count as emitted. */
  async #detach(job: number): Promise<void> {
    await sliced(async (most) => {
      // The job comes first, as where requests are divided.
      const [, rows = []] = await this.engine.run([call(DETACH_JOB, job), call(DETACH, job, most)]);
      return rows.length;
    });
    await sliced(async (most) => {
      const rows = await rowsOf(this.engine, SETTLED, job, most);
      if (rows.length > 0) {
        await this.settlements.emitted(rows.map(({ id }) => Number(id)));
      }
      return rows.length;
    });
  }

  async #cancel(change: Settling, which: string | number, cancelled: Cancelled): Promise<number> {
    const { engine, clock } = this;
    const count = await sliced(
      async (most) => (await cancelSlice(engine, clock, change, cancelled, [most, which])).length,
    );
    if (count > 0) {
      await this.settlements.dropUnheard();
    }
    return count;
  }
}
