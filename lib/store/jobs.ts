import type { Clock } from "./clock";
import type { Call, Engine } from "./engine/engine";
import { statement } from "./schema/statement";
import { sliced } from "./sliced";
import { queueTopic } from "./topics";

/** A message of the flow, as it is taken. */
export interface NewJob {
  /** Made by the caller, unique for ever: the same job taken twice, after an error for example, is taken once. */
  readonly key: string;
  readonly account: string;
  /** Id of the node whose outputs its results leave from. */
  readonly node: string;
  /** Instance that has the live message. */
  readonly taker: string;
  readonly channel: string;
  /** The message as JSON, to restore it after a restart; null where it cannot be restored. */
  readonly snapshot: string | null;
}

/** One request to the service. Parts of a job count from 0 and are unique in it. */
export interface NewRequest {
  readonly part: number;
  readonly operation: string;
  /** Higher ones leave first; equal ones in the order in which they came. Usually 0. */
  readonly priority: number;
  readonly clientMessageId: string | null;
  /** Its fields as JSON, without the recipients. Deleted when the request is settled, unless texts are kept. */
  readonly content: string;
  /** Digits of each number, in the order in which they are sent. */
  readonly recipients: readonly string[];
}

/** A request that is in the store. */
export interface StoredRequest {
  readonly id: number;
  readonly part: number;
}

const ADD_JOB = statement(
  "jobs_add",
  () => `INSERT INTO jobs (job_key, account, node, taker, channel, taken_at, sealed, snapshot)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (job_key) DO NOTHING`,
);

// Entries: part, operation, priority, client message id, content, numbers.
const ADD_REQUESTS = statement(
  "jobs_add_requests",
  (d) => `INSERT INTO requests
      (job, part, account, operation, state, priority, since, attempts, client_message_id, content)
    SELECT j.id, CAST(e.value ->> 0 AS integer), j.account, e.value ->> 1, CAST(?3 AS text),
      CAST(e.value ->> 2 AS integer), CAST(?4 AS bigint), 0, e.value ->> 3, e.value ->> 4
    FROM jobs j CROSS JOIN ${d.each("?2", "e")} WHERE j.job_key = ?1
    ON CONFLICT (job, part) DO NOTHING RETURNING id, part`,
);

const ADD_RECIPIENTS = statement(
  "jobs_add_recipients",
  (d) => `INSERT INTO recipients (request, place, number, delivery_rank)
    SELECT r.id, ${d.place("n")}, ${d.text("n")}, 0
    FROM ${d.each("?2", "e")} CROSS JOIN requests r CROSS JOIN ${d.each("e.value -> 5", "n")}
    WHERE r.job = (SELECT id FROM jobs WHERE job_key = ?1) AND r.part = CAST(e.value ->> 0 AS integer)
    ON CONFLICT (request, place) DO NOTHING`,
);

const FIND_REQUESTS = statement(
  "jobs_find_requests",
  (d) => `SELECT r.id, r.part FROM ${d.each("?2", "e")} CROSS JOIN requests r
    WHERE r.job = (SELECT id FROM jobs WHERE job_key = ?1) AND r.part = CAST(e.value ->> 0 AS integer)`,
);

const SEAL = statement("jobs_seal", () => "UPDATE jobs SET sealed = 1 WHERE job_key = ?1 AND sealed = 0");

const QUEUE_FILLED = statement(
  "jobs_queue_filled",
  () => `UPDATE requests SET state = 'queued' WHERE id IN (
      SELECT r.id FROM requests r WHERE r.state = 'filling'
        AND r.job = (SELECT j.id FROM jobs j WHERE j.job_key = ?1 AND j.sealed = 1)
      ORDER BY r.part LIMIT ?2) RETURNING id`,
);

const DROP_RECIPIENTS = statement(
  "jobs_drop_recipients",
  () => `DELETE FROM recipients WHERE (request, place) IN (
      SELECT c.request, c.place FROM jobs j CROSS JOIN requests r CROSS JOIN recipients c
      WHERE j.job_key = ?1 AND j.sealed = 0 AND r.job = j.id AND c.request = r.id LIMIT ?2) RETURNING place`,
);

const DROP_REQUESTS = statement(
  "jobs_drop_requests",
  () => `DELETE FROM requests WHERE id IN (
      SELECT r.id FROM jobs j CROSS JOIN requests r WHERE j.job_key = ?1 AND j.sealed = 0 AND r.job = j.id
        AND NOT EXISTS (SELECT 1 FROM recipients c WHERE c.request = r.id) LIMIT ?2) RETURNING id`,
);

const DROP_JOB = statement(
  "jobs_drop",
  () => `DELETE FROM jobs WHERE job_key = ?1 AND sealed = 0
      AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.job = jobs.id)`,
);

const entry = ({ part, operation, priority, clientMessageId, content, recipients }: NewRequest) => [
  part,
  operation,
  priority,
  clientMessageId,
  content,
  recipients,
];

/**
 * Takes messages into the store. A message is taken when all of its requests are there: `take` does that at once; `begin`,
 * `add` and `seal` do it page by page for long lists, of which nothing leaves before `seal`. Every call may be repeated
 * after an error.
 */
export class Jobs {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {}

  /** Takes a message whole. Its requests may leave as soon as this resolves. @throws StoreError */
  take(job: NewJob, requests: readonly NewRequest[]): Promise<readonly StoredRequest[]> {
    const calls = [this.#addJob(job, 1), ...this.#addRequests(job.key, requests, "queued")];
    return this.#store(job.key, requests, calls, [queueTopic(job.account)]);
  }

  /** Begins a message of several pages. @throws StoreError */
  async begin(job: NewJob): Promise<void> {
    await this.engine.run([this.#addJob(job, 0)]);
  }

  /** Adds a page of about a thousand recipients to a message that was begun. @throws StoreError */
  add(key: string, requests: readonly NewRequest[]): Promise<readonly StoredRequest[]> {
    return this.#store(key, requests, this.#addRequests(key, requests, "filling"), []);
  }

  /**
   * The message is complete: from the first commit of this call on it is taken, and its requests may leave.
   * @throws StoreError
   */
  async seal(key: string, account: string): Promise<void> {
    await this.engine.run([{ statement: SEAL, values: [key] }]);
    await this.queueFilled(key, account);
  }

  /** Queues what a sealed job still has to be queued: `seal` does so, and recovery where a restart came between. */
  queueFilled(key: string, account: string): Promise<number> {
    return sliced(async (most) => {
      const [queued = []] = await this.engine.run(
        [{ statement: QUEUE_FILLED, values: [key, most] }],
        [queueTopic(account)],
      );
      return queued.length;
    });
  }

  /** Removes a message that was begun and not sealed. Nothing of it has left. @throws StoreError */
  async abandon(key: string): Promise<void> {
    await sliced(async (most) => {
      const [recipients = [], requests = []] = await this.engine.run([
        { statement: DROP_RECIPIENTS, values: [key, most] },
        { statement: DROP_REQUESTS, values: [key, most] },
        { statement: DROP_JOB, values: [key] },
      ]);
      return Math.max(recipients.length, requests.length);
    });
  }

  #addJob({ key, account, node, taker, channel, snapshot }: NewJob, sealed: 0 | 1): Call {
    const values = [key, account, node, taker, channel, this.clock.now(), sealed, snapshot];
    return { statement: ADD_JOB, values };
  }

  #addRequests(key: string, requests: readonly NewRequest[], state: "queued" | "filling"): readonly Call[] {
    const entries = JSON.stringify(requests.map(entry));
    return [
      { statement: ADD_REQUESTS, values: [key, entries, state, this.clock.now()] },
      { statement: ADD_RECIPIENTS, values: [key, entries] },
    ];
  }

  async #store(
    key: string,
    requests: readonly NewRequest[],
    calls: readonly Call[],
    wake: readonly string[],
  ): Promise<readonly StoredRequest[]> {
    const added = (await this.engine.run(calls, wake)).at(-2) ?? [];
    if (added.length === requests.length) {
      return added.map(toStored);
    }
    // Some were there before.
    const entries = JSON.stringify(requests.map(entry));
    const [found = []] = await this.engine.run([{ statement: FIND_REQUESTS, values: [key, entries] }]);
    return found.map(toStored);
  }
}

const toStored = (row: Readonly<Record<string, unknown>>): StoredRequest => ({
  id: Number(row.id),
  part: Number(row.part),
});
