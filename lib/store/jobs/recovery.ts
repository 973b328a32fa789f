import type { Outcome } from "../../shared/outcomes";
import { noteKeys } from "../guards/once-keys";
import { queueFilled } from "./jobs";
import { openPages } from "./open-pages";
import { SETTLED_STATE } from "../schema/stored-values";
import { checked, isStill, keptSql, numbersOf, SNAPSHOT } from "../schema/expressions";
import { chosen, jobsOf, sql, textsOf } from "../schema/sql";
import { statement } from "../schema/statement";
import { sliced } from "../engine/sliced";
import { rowOf, rowsOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { queueTopic, resultOwnerTopics } from "../schema/topics";

/** Recipients of a request whose numbers come with its result. */
const MOST_NUMBERS = 100;

/** Requests whose messages are adopted at once. PostgreSQL writes each of these rows anew, with its entry in every index. */
const ADOPTED = 100;

/** A message of which not everything has been emitted. */
export interface OpenJob {
  readonly id: number;
  readonly key: string;
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
  readonly state: "filling" | "queued" | "held" | "parked" | "leaving" | "settled" | "emitted";
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
  readonly jobKey: string;
}

/** A row of a result, or of one that is not asked for, with nothing but its id. */
type LookedAt = Omit<SettledPart, "numbers"> & { readonly looked: number; readonly numbers: string | null };

/** A job and its message. */
export interface StoredJob extends OpenJob {
  /** JSON as it was taken; null where it was not kept. */
  readonly snapshot: string | null;
}

const ORPHANS = statement("recovery_orphans")`
    UPDATE requests SET state = ${SETTLED_STATE}, settled_at = ?1,
      outcome = CASE WHEN proof_at IS NULL THEN 'unknown' ELSE 'sent' END,
      settled_by = CASE WHEN proof_at IS NULL THEN 'orphan' ELSE 'event' END,
      content = ${keptSql("?3", "content")}
    WHERE id ${chosen(sql`
      SELECT r.id FROM requests r WHERE r.state = 'leaving'
        AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = r.owner AND i.dead_at IS NULL)
      ORDER BY r.owner, r.id LIMIT ?2`)} AND ${isStill("leaving")}
    RETURNING id, (SELECT j.result_owner FROM jobs j WHERE j.id = requests.job) AS "resultOwner"`;

/** What a process had not sent whose text it took with it. Without an answer it reads as `TEXT_NOT_STORED`. */
const TEXTLESS = statement("recovery_textless")`
    UPDATE requests SET outcome = 'retry-later', settled_by = 'orphan', due = NULL, state = ${SETTLED_STATE}, settled_at = ?1
    WHERE id ${chosen(sql`
      SELECT r.id FROM requests r WHERE r.owner IS NOT NULL AND r.state IN ('queued', 'held', 'parked')
        AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = r.owner AND i.dead_at IS NULL)
      ORDER BY r.owner, r.id LIMIT ?2`)} AND ${isStill("queued", "held", "parked")}
    RETURNING id, (SELECT j.result_owner FROM jobs j WHERE j.id = requests.job) AS "resultOwner"`;

const DEAD_OWNER = "NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = j.result_owner AND i.dead_at IS NULL)";

/** Of a job `j` and its requests. */
const COLUMNS = `j.id, j.job_key AS key, j.account, j.node, j.result_owner AS "resultOwner", j.channel, j.taken_at AS "takenAt",
      (SELECT count(*) FROM requests r WHERE r.job = j.id AND r.state <> 'emitted') AS open,
      (SELECT count(*) FROM requests r WHERE r.job = j.id) AS requests`;

const UNSEALED = statement("recovery_unsealed")`
    SELECT ${COLUMNS} FROM jobs j WHERE j.sealed = 0 AND ${DEAD_OWNER} ORDER BY j.id LIMIT ?1`;

// A look at the index for each message, not for each request: a list of another process may be filling all the time.
const HALF_QUEUED = statement("recovery_half_queued")`
    WITH RECURSIVE filling (job) AS (
      SELECT min(job) FROM requests WHERE state = 'filling'
      UNION ALL SELECT (SELECT min(r.job) FROM requests r WHERE r.state = 'filling' AND r.job > f.job) FROM filling f
        WHERE f.job IS NOT NULL)
    SELECT j.job_key, j.account FROM filling f CROSS JOIN jobs j WHERE j.id = f.job AND j.sealed = 1 AND ${DEAD_OWNER}`;

/** Goes from the few requests that are open to their jobs, not through all jobs of the history. */
const OPEN_JOBS =
  "(SELECT DISTINCT r.job FROM requests r WHERE r.state <> 'emitted' AND r.job > ?2) o CROSS JOIN jobs j";

// What was never complete is not adopted, but removed; what is half queued first gets all of its requests, while its result owner counts as
// dead. Another process may adopt the same jobs at the same time: then the result owner is another one when the row is free.
const ADOPT = statement("recovery_adopt")`
    UPDATE jobs SET result_owner = ?1
    WHERE (id, result_owner) IN (SELECT j.id, j.result_owner FROM ${jobsOf("?2")}
      WHERE j.account = ?3 AND j.sealed = 1
      AND NOT EXISTS (SELECT 1 FROM requests f WHERE f.job = j.id AND f.state = 'filling')
      AND (j.node IN (${textsOf("?4", "n")})) IS TRUE AND ${DEAD_OWNER})
    RETURNING id`;

// BETWEEN, because for an equation PostgreSQL may go through all jobs, which have the order that is asked for.
const OPEN = statement("recovery_open")`
    SELECT ${COLUMNS}
    FROM ${OPEN_JOBS}
    WHERE j.id BETWEEN o.job AND o.job AND ${checked("j.account")} = ?1
      AND (CAST(?3 AS text) IS NULL OR j.node NOT IN (${textsOf("?3")}))
    ORDER BY o.job LIMIT ?4`;

/** The numbers of a request that has not too many of them; null for others. */
const FEW_NUMBERS = sql`CASE WHEN NOT EXISTS (SELECT 1 FROM recipients m WHERE m.request = r.id AND m.place >= ${MOST_NUMBERS}) THEN
    ${numbersOf("r.id")} END`;

/** The columns of a result of a request `r`. */
const RESULT = sql`r.id, r.job, r.part, r.state, r.operation, r.client_message_id AS "clientMessageId",
      r.transfer_id AS "transferId", r.attempts, r.outcome, r.answer, (SELECT count(*) FROM recipients c WHERE c.request = r.id) AS recipients, ${FEW_NUMBERS} AS numbers`;

// A row for each that was looked at, and only its id where it is none of those that are asked for.
const SETTLED = statement("recovery_settled")`
    SELECT s.id AS looked, j.job_key AS "jobKey", ${RESULT}
    FROM (SELECT q.id, q.job FROM requests q WHERE q.account = ?1 AND q.state = 'settled' AND q.id > ?3
        ORDER BY q.id LIMIT ?4) s
      LEFT JOIN jobs j ON j.id = s.job AND j.result_owner = ?2 AND j.node IN (${textsOf("?5")})
      LEFT JOIN requests r ON r.id = s.id AND j.id IS NOT NULL
    ORDER BY s.id`;

const OPEN_PARTS = statement("recovery_open_parts")`
    SELECT count(*) AS open FROM requests r WHERE r.job = ?1 AND r.part < ?2 AND r.state <> 'emitted'`;

/** ?3 epoch ms before which the jobs were taken; ?5 epoch ms after which it is said until when they wait. What is for nobody counts as one. */
const WAITING = statement("recovery_waiting")`
    SELECT j.node, CASE WHEN o.state = 'queued' AND o.due > ?5 THEN o.due END AS until, count(*) AS people
    FROM ${jobsOf("?4")} CROSS JOIN requests o LEFT JOIN recipients c ON c.request = o.id
    WHERE o.job = j.id AND o.state <> 'emitted' AND j.account = ?1 AND j.result_owner = ?2 AND j.taken_at < ?3
    GROUP BY 1, 2`;

/** ms; who waits for less is about to be sent. */
const WORTH_SAYING = 60_000;

/** People of a node who wait from before. */
export interface Waiting {
  readonly people: number;
  /** Epoch ms; null for those who wait for no point in time. */
  readonly until: number | null;
}

const JOBS = statement("recovery_jobs")`
    SELECT ${COLUMNS}, ${SNAPSHOT}
    FROM ${jobsOf("?1")}`;

/**
 * What a start finds: the work of processes that ended. The order is `settleOrphans`, `unsealed` with `Jobs.abandon`,
 * `finishQueueing`, `settleTextless`, `adopt`, and then the results that are `settled`. Every call may throw StoreError.
 */
export class Recovery extends Repository {
  /**
   * Settles what was leaving when its owner died: as `unknown`, or as `sent` where an event has proved it. Never puts
   * anything back. To be called at the start and after each heartbeat: a dead owner may have claimed until it was found dead.
   * @returns how many there were
   */
  settleOrphans(): Promise<number> {
    return sliced(async (most) => {
      const rows = await rowsOf(this.engine, ORPHANS, this.clock.now(), most, this.keepTexts ? 1 : 0);
      if (rows.length > 0) {
        await this.engine.run([noteKeys(rows.map(({ id }) => Number(id)))], resultOwnerTopics(rows));
      }
      return rows.length;
    });
  }

  /** Settles sensitive requests as `retry-later` whose process died before it sent them: nobody has their text. */
  settleTextless(): Promise<number> {
    return sliced(async (most) => {
      const rows = await rowsOf(this.engine, TEXTLESS, this.clock.now(), most);
      if (rows.length > 0) {
        await this.engine.run([], resultOwnerTopics(rows));
      }
      return rows.length;
    });
  }

  /** Messages that were begun and never sealed, of dead result owners: nothing of them has left. */
  unsealed(most: number): Promise<readonly OpenJob[]> {
    return rowsOf<OpenJob>(this.engine, UNSEALED, most);
  }

  /** Queues the rest of messages whose process ended while `seal` was under way. */
  async finishQueueing(): Promise<void> {
    for (;;) {
      const rows = await rowsOf(this.engine, HALF_QUEUED);
      if (rows.length === 0) {
        return;
      }
      // Others may be at it too, and end amid it.
      for (const row of rows) {
        await queueFilled(this.engine, String(row.job_key), String(row.account));
      }
    }
  }

  /** This instance emits from now on what dead ones would have emitted at these nodes. @returns ids of the jobs */
  async adopt(instance: string, account: string, nodes: readonly string[]): Promise<readonly number[]> {
    const adopted: number[] = [];
    await openPages(
      this.engine,
      async (jobs) => {
        const rows = await rowsOf(this.engine, ADOPT, instance, jobs, account, JSON.stringify(nodes));
        adopted.push(...rows.map(({ id }) => Number(id)));
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
    const list = JSON.stringify(nodes);
    // What is for others is passed by, so many at a time.
    for (let last = after; ; ) {
      const rows = await rowsOf<LookedAt>(this.engine, SETTLED, account, resultOwner, last, most, list);
      const mine = rows.filter(({ id }) => id !== null);
      if (mine.length > 0 || rows.length < most) {
        return mine.map(({ numbers, ...part }) => ({
          ...part,
          numbers: numbers === null ? null : (JSON.parse(numbers) as string[]),
        }));
      }
      last = Number(rows.at(-1)?.looked);
    }
  }

  /** How many of the first parts of a job have results that have not left. @param below number of those parts */
  async openParts(job: number, below: number): Promise<number> {
    const row = await rowOf(this.engine, OPEN_PARTS, job, below);
    return Number(row?.open ?? 0);
  }

  /** People whose results this result owner has still to emit, by node. @param age ms; younger messages do not count */
  async waiting(
    account: string,
    resultOwner: string,
    age: number,
  ): Promise<ReadonlyMap<string, readonly Waiting[]>> {
    const waiting = new Map<string, Waiting[]>();
    const now = this.clock.now();
    await openPages(this.engine, async (jobs) => {
      const values = [account, resultOwner, Math.floor(now - age), jobs, now + WORTH_SAYING] as const;
      for (const { node, people, until } of await rowsOf(this.engine, WAITING, ...values)) {
        const counts = waiting.get(String(node)) ?? [];
        waiting.set(String(node), counts);
        counts.push({ people: Number(people), until: until === null ? null : Number(until) });
      }
    });
    return waiting;
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
