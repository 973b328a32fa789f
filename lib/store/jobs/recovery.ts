import type { Outcome } from "../../shared/outcomes";
import type { Call, Row } from "../engine/engine";
import { call, rowOf, rowsOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { sliced } from "../engine/sliced";
import { noteKeys } from "../guards/idempotency-keys";
import { checked, type State } from "../schema/expressions";
import { among, each, idOf, idsOf, lookUp, type Sql, sql, textsOf } from "../schema/sql";
import { statement } from "../schema/statement";
import { queueTopic } from "../schema/topics";
import { type Settling, settleSlice, settling } from "./cancel-requests";
import { readRecipients, RECIPIENTS } from "./job-statements";
import { queueStaged } from "./jobs";
import { openPages } from "./open-pages";

/** Recipients of a request whose numbers come with its result. */
const MAX_NUMBERS = 100;

/** Requests whose messages are adopted at once. PostgreSQL writes each of these rows anew, with its entry in every index. */
const ADOPTED = 100;

/** A message of which not everything has been emitted. */
export interface OpenJob {
  readonly id: number;
  readonly account: string;
  readonly node: string;
  /** Instance that emits its results. */
  readonly resultOwner: string;
  readonly channel: string;
  /** Epoch ms. */
  readonly takenAt: number;
  /** Requests that are not emitted. */
  readonly open: number;
  /** All of them. */
  readonly requests: number;
}

/** A request of a job with its result. */
export interface JobPart {
  readonly id: number;
  readonly part: number;
  readonly state: State | "emitted";
  readonly operation: string;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly attempts: number;
  /** Null until it is settled. */
  readonly outcome: Outcome | null;
  /** JSON as it was settled; null for a request that nobody answered. */
  readonly answer: string | null;
  readonly recipients: number;
  /** Their digits in order; null where there are many, which are read page by page. */
  readonly numbers: readonly string[] | null;
}

/** A result that has not left its node. */
export interface SettledPart extends JobPart {
  readonly job: number;
}

/** A job and its message. */
export interface StoredJob extends OpenJob {
  /** JSON as it was taken; null where it was not kept. */
  readonly snapshot: string | null;
}

const isExpired = (instance: string): string =>
  `NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = ${instance} AND i.expired_at IS NULL)`;

/** ?2 now. */
const ORPHANS = settling(
  "recovery_orphans",
  ["sending"],
  `outcome = CASE WHEN confirmed_at IS NULL THEN 'unknown' ELSE 'sent' END,
      settled_by = CASE WHEN confirmed_at IS NULL THEN 'process-ended' ELSE 'event' END, settled_at = ?2,
      late_owner = CASE WHEN confirmed_at IS NULL THEN (SELECT o.owner FROM outbox o WHERE o.id = messages.id) END,
      sent_at = (SELECT o.sent_at FROM outbox o WHERE o.id = messages.id)`,
  `o.state = 'sending' AND ${isExpired("o.owner")}`,
  "ORDER BY o.owner, o.id",
);

/** What a process had not sent whose text it took with it. Without a response it reads as `TEXT_NOT_STORED`. */
const TEXTLESS = settling(
  "recovery_textless",
  ["queued", "paused", "orphaned"],
  "outcome = 'retry-later', settled_by = 'process-ended', settled_at = ?2",
  `o.owner IS NOT NULL AND o.state IN ('queued', 'paused', 'orphaned') AND ${isExpired("o.owner")}`,
  "ORDER BY o.owner, o.id",
);

const OPEN_COLUMNS = `o.job AS id, min(o.account) AS account, min(o.node) AS node, min(o.result_owner) AS "resultOwner",
      min(m.channel) AS channel, min(m.accepted_at) AS "takenAt", count(*) AS open,
      (SELECT count(*) FROM messages a WHERE a.id = o.job AND a.job = o.job)
        + (SELECT count(*) FROM messages a WHERE a.job = o.job AND a.job <> a.id) AS requests`;
const ofOutbox = (name: string): Sql => lookUp("messages", "m", `m.id = ${name}.id`);

const UNCOMMITTED = statement("recovery_uncommitted")`
    SELECT j.id FROM jobs j WHERE j.committed = 0 AND ${isExpired("j.result_owner")}
    UNION
    SELECT o.job FROM outbox o WHERE o.state = 'staging' AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = o.job) LIMIT ?1`;

// A step in the index for each message, not for each request: a list of another process may be staging all the time.
const HALF_QUEUED = statement("recovery_half_queued")`
    WITH RECURSIVE staging (job) AS (
      SELECT min(job) FROM outbox WHERE state = 'staging'
      UNION ALL SELECT (SELECT min(o.job) FROM outbox o WHERE o.state = 'staging' AND o.job > s.job) FROM staging s
        WHERE s.job IS NOT NULL)
    SELECT j.id, j.account FROM staging s CROSS JOIN jobs j
    WHERE j.id = s.job AND j.committed = 1 AND ${isExpired("j.result_owner")}`;

/** Requests of a page of messages, each by its index. */
const ofJobs = (jobs: string): Sql => sql`${each(jobs)} ${lookUp("outbox", "o", sql`o.job = ${idOf()}`)}`;

// What was never complete is not adopted, but removed; what is half queued first gets all of its requests, while its result owner counts as
// expired. Another process may adopt the same requests at the same time: then the result owner is another one when the row is free.
const ADOPT = statement("recovery_adopt")`
    UPDATE outbox SET result_owner = ?1
    WHERE (id, result_owner) IN (SELECT o.id, o.result_owner FROM ${ofJobs("?2")}
      WHERE o.account = ?3 AND o.node IN (${textsOf("?4", "n")}) AND ${isExpired("o.result_owner")}
        AND NOT EXISTS (SELECT 1 FROM outbox f WHERE f.job = o.job AND f.state = 'staging') LIMIT ?5)
    RETURNING job`;

/** Waits for those who divide requests of these messages, so that the next statement sees what they have added. */
const ADOPT_JOBS = statement("recovery_adopt_jobs")`
    UPDATE jobs SET result_owner = ?1 WHERE id ${among(idsOf("?2"))} AND account = ?3 AND node IN (${textsOf("?4", "n")})
      AND committed = 1 AND ${isExpired("jobs.result_owner")}
      AND NOT EXISTS (SELECT 1 FROM outbox f WHERE f.job = jobs.id AND f.state = 'staging')`;

const OPEN = statement("recovery_open")`
    SELECT ${OPEN_COLUMNS} FROM outbox o ${ofOutbox("o")}
    WHERE o.job > ?2 AND ${checked("o.account")} = ?1
      AND (CAST(?3 AS text) IS NULL OR o.node NOT IN (${textsOf("?3")}))
    GROUP BY o.job ORDER BY o.job LIMIT ?4`;

const SETTLED = statement("recovery_settled")`
    SELECT s.id, s.job, s.part, 'settled' AS state, s.operation, m.client_id AS "clientMessageId", m.transfer_id AS "transferId",
      m.attempts, m.outcome, m.response AS answer, CASE WHEN m.recipient IS NULL
        THEN (SELECT count(*) FROM recipients c WHERE c.request = m.id) ELSE 1 END AS count, ${RECIPIENTS}
    FROM (SELECT o.id, o.job, o.part, o.operation FROM outbox o
        WHERE o.account = ?1 AND o.state = 'settled' AND o.id > ?3 AND ${checked("o.result_owner")} = ?2 AND o.node IN (${textsOf("?5")})
        ORDER BY o.id LIMIT ?4) s ${ofOutbox("s")}
    ORDER BY s.id`;

const OPEN_PARTS = statement("recovery_open_parts")`
    SELECT count(*) AS open FROM outbox o WHERE o.job = ?1 AND o.part < ?2`;

const JOBS = statement("recovery_jobs")`
    SELECT ${OPEN_COLUMNS}, coalesce(max(o.snapshot), (SELECT j.snapshot FROM jobs j WHERE j.id = o.job)) AS snapshot
    FROM ${ofJobs("?1")} ${ofOutbox("o")} GROUP BY o.job`;

/**
 * What a start finds: the work of processes that ended. The order is `settleOrphans`, `uncommitted` with `Jobs.abandon`,
 * `finishQueueing`, `settleTextless`, `adopt`, and then the results that are `settled`. Every call may throw StoreError.
 */
export class Recovery extends Repository {
  /**
   * Settles what was leaving when its owner died: as `unknown`, or as `sent` where an event has proved it. Never puts
   * anything back. To be called at the start and after each heartbeat: a dead owner may have claimed until it was found dead.
   * @returns how many there were
   */
  settleOrphans(): Promise<number> {
    return this.#settle(ORPHANS, (ids) => [noteKeys(ids)]);
  }

  /** Settles sensitive requests as `retry-later` whose process died before it sent them: nobody has their text. */
  settleTextless(): Promise<number> {
    return this.#settle(TEXTLESS);
  }

  #settle(change: Settling, further?: (ids: readonly number[]) => readonly Call[]): Promise<number> {
    return sliced(
      async (most) => (await settleSlice(this.engine, change, [most], [this.clock.now()], further)).length,
    );
  }

  /** Messages that were begun and never committed, of expired result owners: nothing of them was sent. @returns their ids */
  async uncommitted(most: number): Promise<readonly number[]> {
    const rows = await rowsOf(this.engine, UNCOMMITTED, most);
    return rows.map(({ id }) => Number(id));
  }

  /** Queues the rest of messages whose process ended while `commit` was under way. */
  async finishQueueing(): Promise<void> {
    for (;;) {
      const rows = await rowsOf(this.engine, HALF_QUEUED);
      if (rows.length === 0) {
        return;
      }
      // Others may be at it too, and end amid it.
      for (const row of rows) {
        await queueStaged(this.engine, Number(row.id), String(row.account));
      }
    }
  }

  /** This instance emits from now on what dead ones would have emitted at these nodes. @returns ids of the jobs */
  async adopt(instance: string, account: string, nodes: readonly string[]): Promise<readonly number[]> {
    const adopted: number[] = [];
    await openPages(
      this.engine,
      async (jobs) => {
        const values = [instance, jobs, account, JSON.stringify(nodes)] as const;
        await sliced(async (most) => {
          const [, rows = []] = await this.engine.run([
            call(ADOPT_JOBS, ...values),
            call(ADOPT, ...values, most),
          ]);
          adopted.push(...new Set(rows.map(({ job }) => Number(job))));
          return rows.length;
        });
      },
      ADOPTED,
    );
    if (adopted.length > 0) {
      await this.engine.run([], [queueTopic(account)]);
    }
    return adopted;
  }

  /**
   * A page of the messages of an account that are not done.
   * @param notOf only those whose node is none of these
   * @param after id of the last one of the page before; 0 for the first page
   */
  openJobs(
    account: string,
    { notOf }: { readonly notOf?: readonly string[] },
    after: number,
    most: number,
  ): Promise<readonly OpenJob[]> {
    const others = notOf === undefined ? null : JSON.stringify(notOf);
    return rowsOf<OpenJob>(this.engine, OPEN, account, after, others, most);
  }

  /**
   * A page of results of an account that this result owner has to emit at one of these nodes.
   * @param after id of the last one of the page before; 0 for the first page
   */
  async settled(
    account: string,
    resultOwner: string,
    nodes: readonly string[],
    after: number,
    most: number,
  ): Promise<readonly SettledPart[]> {
    type Found = Omit<SettledPart, "recipients" | "numbers"> & { readonly count: number };
    const list = JSON.stringify(nodes);
    const rows = await rowsOf<Found & Row>(this.engine, SETTLED, account, resultOwner, after, most, list);
    return rows.map(({ count, ...row }) => {
      const numbers = count > MAX_NUMBERS ? null : readRecipients(row);
      return { ...row, recipients: count, numbers };
    });
  }

  /** How many of the first parts of a job have results that have not left. @param below number of those parts */
  async openParts(job: number, below: number): Promise<number> {
    const row = await rowOf(this.engine, OPEN_PARTS, job, below);
    return Number(row?.open ?? 0);
  }

  /** What is needed to restore the message of a job; null for one that is not there. */
  async job(id: number): Promise<StoredJob | null> {
    return (await this.jobsOf([id])).get(id) ?? null;
  }

  /** The same for several, without those that are not there. */
  async jobsOf(ids: readonly number[]): Promise<ReadonlyMap<number, StoredJob>> {
    const jobs = ids.length === 0 ? [] : await rowsOf<StoredJob>(this.engine, JOBS, JSON.stringify(ids));
    return new Map(jobs.map((job) => [job.id, job]));
  }
}
