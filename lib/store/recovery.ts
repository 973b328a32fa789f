import type { Outcome } from "../shared/outcomes";
import type { Clock } from "./engine/clock";
import type { Engine, Row } from "./engine/engine";
import { noteKeys } from "./guards/once-keys";
import type { Jobs } from "./jobs";
import { openPages } from "./open-pages";
import { SETTLED_STATE } from "./schema/stored-values";
import { keptSql } from "./schema/sealed-text";
import type { Dialect } from "./schema/dialect";
import { checked } from "./schema/checked";
import { isStill } from "./schema/is-still";
import { SNAPSHOT } from "./schema/snapshot";
import { statement } from "./schema/statement";
import { sliced } from "./engine/sliced";
import { queueTopic, resultsTopic } from "./topics";

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
  readonly taker: string;
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
  readonly state: "filling" | "queued" | "held" | "parked" | "moving" | "leaving" | "settled" | "emitted";
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

/** A job and its message. */
export interface StoredJob {
  readonly id: number;
  readonly key: string;
  readonly account: string;
  readonly node: string;
  /** Instance that emits its results. */
  readonly taker: string;
  readonly channel: string;
  /** Its requests, and those whose results have not been emitted. */
  readonly requests: number;
  readonly open: number;
  /** JSON as it was taken; null where it was not kept. */
  readonly snapshot: string | null;
}

const ORPHANS = statement(
  "recovery_orphans",
  (d) => `UPDATE requests SET state = ${SETTLED_STATE}, settled_at = ?1,
      outcome = CASE WHEN proof_at IS NULL THEN 'unknown' ELSE 'sent' END,
      settled_by = CASE WHEN proof_at IS NULL THEN 'orphan' ELSE 'event' END,
      content = ${keptSql("?3", "content")}
    WHERE id ${d.chosen(`
      SELECT r.id FROM requests r WHERE r.state = 'leaving'
        AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = r.owner AND i.dead_at IS NULL)
      ORDER BY r.owner, r.id LIMIT ?2`)} AND ${isStill("leaving")}
    RETURNING id, (SELECT j.taker FROM jobs j WHERE j.id = requests.job) AS taker`,
);

const DEAD_TAKER = "NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = j.taker AND i.dead_at IS NULL)";

const UNSEALED = statement(
  "recovery_unsealed",
  () => `SELECT j.*, (SELECT count(*) FROM requests r WHERE r.job = j.id) AS requests
    FROM jobs j WHERE j.sealed = 0 AND ${DEAD_TAKER} ORDER BY j.id LIMIT ?1`,
);

// A look at the index for each message, not for each request: a list of another process may be filling all the time.
const HALF_QUEUED = statement(
  "recovery_half_queued",
  () => `WITH RECURSIVE filling (job) AS (
      SELECT min(job) FROM requests WHERE state = 'filling'
      UNION ALL SELECT (SELECT min(r.job) FROM requests r WHERE r.state = 'filling' AND r.job > f.job) FROM filling f
        WHERE f.job IS NOT NULL)
    SELECT j.job_key, j.account FROM filling f CROSS JOIN jobs j WHERE j.id = f.job AND j.sealed = 1 AND ${DEAD_TAKER}`,
);

/** Goes from the few requests that are open to their jobs, not through all jobs of the history. */
const OPEN_JOBS =
  "(SELECT DISTINCT r.job FROM requests r WHERE r.state <> 'emitted' AND r.job > ?2) o CROSS JOIN jobs j";

/** The jobs of a page. @param ids placeholder of a JSON array */
const paged = (d: Dialect, ids: string): string =>
  `${d.each(ids, "e")} ${d.lookUp("jobs", "j", `j.id = CAST(${d.text("e")} AS bigint)`)}`;

// What was never complete is not adopted, but removed; what is half queued first gets all of its requests, while its taker counts as dead. Another process may adopt the same jobs at the same time: then the taker is another one when the row is free.
const ADOPT = statement(
  "recovery_adopt",
  (d) => `UPDATE jobs SET taker = ?1
    WHERE (id, taker) IN (SELECT j.id, j.taker FROM ${paged(d, "?2")}
      WHERE j.account = ?3 AND j.sealed = 1
      AND NOT EXISTS (SELECT 1 FROM requests f WHERE f.job = j.id AND f.state = 'filling')
      AND (j.node IN (SELECT ${d.text("n")} FROM ${d.each("?4", "n")})) IS TRUE AND ${DEAD_TAKER})
    RETURNING id`,
);

// BETWEEN, because for an equation PostgreSQL may go through all jobs, which have the order that is asked for.
const OPEN = statement(
  "recovery_open",
  (d) => `SELECT j.*,
      (SELECT count(*) FROM requests r WHERE r.job = j.id AND r.state <> 'emitted') AS open,
      (SELECT count(*) FROM requests r WHERE r.job = j.id) AS requests
    FROM ${OPEN_JOBS}
    WHERE j.id BETWEEN o.job AND o.job AND ${checked("j.account")} = ?1
      AND (CAST(?3 AS text) IS NULL OR j.taker = ?3)
      AND (CAST(?4 AS text) IS NULL OR j.node NOT IN (SELECT ${d.text("e")} FROM ${d.each("?4", "e")}))
    ORDER BY o.job LIMIT ?5`,
);

/** The numbers of a request that has not too many of them; null for others. */
const FEW_NUMBERS = (d: Dialect): string =>
  `CASE WHEN NOT EXISTS (SELECT 1 FROM recipients m WHERE m.request = r.id AND m.place >= ${MOST_NUMBERS}) THEN
    (SELECT ${d.collect("c.number", "c.place")} FROM recipients c WHERE c.request = r.id) END`;

/** The columns of a result of a request `r`. */
const RESULT = (
  d: Dialect,
): string => `r.id, r.job, r.part, r.state, r.operation, r.client_message_id, r.transfer_id, r.attempts,
      r.outcome, r.answer, (SELECT count(*) FROM recipients c WHERE c.request = r.id) AS recipients, ${FEW_NUMBERS(d)} AS numbers`;

// A row for each that was looked at, and only its id where it is none of those that are asked for.
const SETTLED = statement(
  "recovery_settled",
  (d) => `SELECT s.id AS looked, j.job_key, ${RESULT(d)}
    FROM (SELECT q.id, q.job FROM requests q WHERE q.account = ?1 AND q.state = 'settled' AND q.id > ?3
        ORDER BY q.id LIMIT ?4) s
      LEFT JOIN jobs j ON j.id = s.job AND j.taker = ?2 AND j.node IN (SELECT ${d.text("e")} FROM ${d.each("?5", "e")})
      LEFT JOIN requests r ON r.id = s.id AND j.id IS NOT NULL
    ORDER BY s.id`,
);

const OPEN_PARTS = statement(
  "recovery_open_parts",
  () => "SELECT count(*) AS open FROM requests r WHERE r.job = ?1 AND r.part < ?2 AND r.state <> 'emitted'",
);

/** ?3 epoch ms before which the jobs were taken. What is for nobody counts as one. */
const WAITING = statement(
  "recovery_waiting",
  (d) => `SELECT j.node, count(*) AS people
    FROM ${paged(d, "?4")} CROSS JOIN requests o LEFT JOIN recipients c ON c.request = o.id
    WHERE o.job = j.id AND o.state <> 'emitted' AND j.account = ?1 AND j.taker = ?2 AND j.taken_at < ?3
    GROUP BY j.node`,
);

const JOBS = statement(
  "recovery_jobs",
  (d) => `SELECT j.id, j.job_key, j.account, j.node, j.taker, j.channel, ${SNAPSHOT},
      (SELECT count(*) FROM requests r WHERE r.job = j.id AND r.state <> 'emitted') AS open,
      (SELECT count(*) FROM requests r WHERE r.job = j.id) AS requests
    FROM ${paged(d, "?1")}`,
);

/**
 * What a start finds: the work of processes that ended. The order is `settleOrphans`, `unsealed` with `Jobs.abandon`,
 * `finishQueueing`, `adopt`, and then the results that are `settled`.
 */
export class Recovery {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly keepTexts: boolean,
  ) {}

  /**
   * Settles what was leaving when its owner died: as `unknown`, or as `sent` where an event has proved it. Never puts
   * anything back. To be called at the start and after each heartbeat: a dead owner may have claimed until it was found dead.
   * @returns how many there were
   * @throws StoreError
   */
  settleOrphans(): Promise<number> {
    return sliced(async (most) => {
      const [rows = []] = await this.engine.run([
        { statement: ORPHANS, values: [this.clock.now(), most, this.keepTexts ? 1 : 0] },
      ]);
      if (rows.length > 0) {
        const takers = new Set(rows.map(({ taker }) => String(taker)));
        await this.engine.run([noteKeys(rows.map(({ id }) => Number(id)))], [...takers].map(resultsTopic));
      }
      return rows.length;
    });
  }

  /**
   * Messages that were begun and never sealed, of dead takers: nothing of them has left. `open` counts nothing here.
   * @throws StoreError
   */
  async unsealed(most: number): Promise<readonly OpenJob[]> {
    const [rows = []] = await this.engine.run([{ statement: UNSEALED, values: [most] }]);
    return rows.map(toOpenJob);
  }

  /** Queues the rest of messages whose process ended while `seal` was under way. @throws StoreError */
  async finishQueueing(): Promise<void> {
    for (;;) {
      const [rows = []] = await this.engine.run([{ statement: HALF_QUEUED, values: [] }]);
      if (rows.length === 0) {
        return;
      }
      // Others may be at it too, and end amid it.
      for (const row of rows) {
        await this.jobs.queueFilled(String(row.job_key), String(row.account));
      }
    }
  }

  /**
   * This instance emits from now on what dead ones would have emitted at these nodes.
   * @returns ids of the jobs
   * @throws StoreError
   */
  async adopt(instance: string, account: string, nodes: readonly string[]): Promise<readonly number[]> {
    const adopted: number[] = [];
    await openPages(
      this.engine,
      async (jobs) => {
        const [rows = []] = await this.engine.run([
          { statement: ADOPT, values: [instance, jobs, account, JSON.stringify(nodes)] },
        ]);
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
   * @param which `taker`: only those of an instance; `notOf`: only those whose node is none of these
   * @param after id of the last one of the page before; 0 for the first page
   * @throws StoreError
   */
  async openJobs(
    account: string,
    which: { readonly taker?: string; readonly notOf?: readonly string[] },
    after: number,
    most: number,
  ): Promise<readonly OpenJob[]> {
    const notOf = which.notOf === undefined ? null : JSON.stringify(which.notOf);
    const [rows = []] = await this.engine.run([
      { statement: OPEN, values: [account, after, which.taker ?? null, notOf, most] },
    ]);
    return rows.map(toOpenJob);
  }

  /**
   * A page of results of an account that this taker has to emit at one of these nodes.
   * @param after id of the last one of the page before; 0 for the first page
   * @throws StoreError
   */
  async settled(
    account: string,
    taker: string,
    nodes: readonly string[],
    after: number,
    most: number,
  ): Promise<readonly SettledPart[]> {
    const list = JSON.stringify(nodes);
    // What is for others is passed by, so many at a time.
    for (let last = after; ; ) {
      const [rows = []] = await this.engine.run([
        { statement: SETTLED, values: [account, taker, last, most, list] },
      ]);
      const mine = rows.filter(({ id }) => id !== null);
      if (mine.length > 0 || rows.length < most) {
        return mine.map((row) => ({ ...toPart(row), job: Number(row.job), jobKey: String(row.job_key) }));
      }
      last = Number(rows.at(-1)?.looked);
    }
  }

  /** How many of the first parts of a job have results that have not left. @param below number of those parts @throws StoreError */
  async openParts(job: number, below: number): Promise<number> {
    const [[row] = []] = await this.engine.run([{ statement: OPEN_PARTS, values: [job, below] }]);
    return Number(row?.open ?? 0);
  }

  /**
   * People whose results this taker has still to emit, by node.
   * @param age ms since when further messages do not count
   * @throws StoreError
   */
  async waiting(account: string, taker: string, age: number): Promise<ReadonlyMap<string, number>> {
    const waiting = new Map<string, number>();
    const before = Math.floor(this.clock.now() - age);
    await openPages(this.engine, async (jobs) => {
      const [rows = []] = await this.engine.run([
        { statement: WAITING, values: [account, taker, before, jobs] },
      ]);
      for (const { node, people } of rows) {
        waiting.set(String(node), (waiting.get(String(node)) ?? 0) + Number(people));
      }
    });
    return waiting;
  }

  /** What is needed to restore the message of a job; null for one that is not there. @throws StoreError */
  async job(id: number): Promise<StoredJob | null> {
    return (await this.jobsOf([id])).get(id) ?? null;
  }

  /** The same for several, without those that are not there. @throws StoreError */
  async jobsOf(ids: readonly number[]): Promise<ReadonlyMap<number, StoredJob>> {
    const [rows = []] =
      ids.length === 0 ? [] : await this.engine.run([{ statement: JOBS, values: [JSON.stringify(ids)] }]);
    return new Map(
      rows.map((row) => [
        Number(row.id),
        {
          id: Number(row.id),
          key: String(row.job_key),
          account: String(row.account),
          node: String(row.node),
          taker: String(row.taker),
          channel: String(row.channel),
          requests: Number(row.requests),
          open: Number(row.open),
          snapshot: textOf(row.snapshot),
        },
      ]),
    );
  }
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const toOpenJob = (row: Row): OpenJob => ({
  id: Number(row.id),
  key: String(row.job_key),
  account: String(row.account),
  node: String(row.node),
  taker: String(row.taker),
  channel: String(row.channel),
  takenAt: Number(row.taken_at),
  open: Number(row.open ?? 0),
  requests: Number(row.requests),
});

const toPart = (row: Row): JobPart => ({
  id: Number(row.id),
  part: Number(row.part),
  state: String(row.state) as JobPart["state"],
  operation: String(row.operation),
  clientMessageId: textOf(row.client_message_id),
  transferId: textOf(row.transfer_id),
  attempts: Number(row.attempts),
  outcome: textOf(row.outcome) as Outcome | null,
  answer: textOf(row.answer),
  recipients: Number(row.recipients),
  numbers: typeof row.numbers === "string" ? (JSON.parse(row.numbers) as string[]) : null,
});
