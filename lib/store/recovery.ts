import type { Outcome } from "../shared/outcomes";
import type { Clock } from "./engine/clock";
import type { Engine, Row } from "./engine/engine";
import { noteKeys } from "./guards/once-keys";
import type { Jobs } from "./jobs";
import { SETTLED_STATE } from "./no-node";
import { keptSql } from "./sealed-text";
import type { Dialect } from "./schema/dialect";
import { statement } from "./schema/statement";
import { sliced } from "./engine/sliced";
import { queueTopic, resultsTopic } from "./topics";

/** Recipients of a request whose numbers come with its result. */
const MOST_NUMBERS = 100;

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
  (d) => `UPDATE requests SET state = ${SETTLED_STATE}, settled_at = ?1, since = ?1,
      outcome = CASE WHEN proof_at IS NULL THEN 'unknown' ELSE 'sent' END,
      settled_by = CASE WHEN proof_at IS NULL THEN 'orphan' ELSE 'event' END,
      content = ${keptSql("?3", "content")}
    WHERE id ${d.chosen(`
      SELECT r.id FROM requests r WHERE r.state = 'leaving'
        AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = r.owner AND i.dead_at IS NULL)
      ORDER BY r.owner, r.id LIMIT ?2`)}
    RETURNING id, (SELECT j.taker FROM jobs j WHERE j.id = requests.job) AS taker`,
);

const DEAD_TAKER = "NOT EXISTS (SELECT 1 FROM instances i WHERE i.id = j.taker AND i.dead_at IS NULL)";

const UNSEALED = statement(
  "recovery_unsealed",
  () => `SELECT j.*, (SELECT count(*) FROM requests r WHERE r.job = j.id) AS requests
    FROM jobs j WHERE j.sealed = 0 AND ${DEAD_TAKER} ORDER BY j.id LIMIT ?1`,
);

const HALF_QUEUED = statement(
  "recovery_half_queued",
  () => `SELECT j.job_key, j.account FROM jobs j WHERE j.sealed = 1
    AND j.id IN (SELECT r.job FROM requests r WHERE r.state = 'filling')`,
);

/** A column that a job is not found by, also where its table was empty when PostgreSQL made the plan: not all jobs of it are read. */
const checked = (column: string): string => `(${column} || '')`;

/** Goes from the few requests that are open to their jobs, not through all jobs of the history. */
const OPEN_JOBS =
  "(SELECT DISTINCT r.job FROM requests r WHERE r.state <> 'emitted' AND r.job > ?2) o CROSS JOIN jobs j";

// What was never complete is not adopted, but removed. Another process may adopt the same jobs at the same time: then the taker is another one when the row is free.
const ADOPT = statement(
  "recovery_adopt",
  (d) => `UPDATE jobs SET taker = ?1
    WHERE (id, taker) IN (SELECT j.id, j.taker FROM ${OPEN_JOBS}
      WHERE j.id = o.job AND ${checked("j.account")} = ?3 AND j.sealed = 1 AND ${checked("j.node")} IN (SELECT ${d.text("e")} FROM ${d.each("?4", "e")})
      AND ${DEAD_TAKER})
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

const SETTLED = statement(
  "recovery_settled",
  (
    d,
  ) => `SELECT j.job_key, r.id, r.job, r.part, r.state, r.operation, r.client_message_id, r.transfer_id, r.attempts, r.outcome,
      r.answer, (SELECT count(*) FROM recipients c WHERE c.request = r.id) AS recipients, ${FEW_NUMBERS(d)} AS numbers
    FROM requests r JOIN jobs j ON j.id = r.job
    WHERE r.account = ?1 AND r.state = 'settled' AND j.taker = ?2 AND ${checked("j.node")} = ?5 AND r.id > ?3
    ORDER BY r.id LIMIT ?4`,
);

const EMITTED_PARTS = statement(
  "recovery_emitted_parts",
  (
    d,
  ) => `SELECT r.id, r.job, r.part, r.state, r.operation, r.client_message_id, r.transfer_id, r.attempts, r.outcome,
      r.answer, (SELECT count(*) FROM recipients c WHERE c.request = r.id) AS recipients, ${FEW_NUMBERS(d)} AS numbers
    FROM requests r WHERE r.job = ?1 AND r.part > ?2 AND r.state = 'emitted' ORDER BY r.part LIMIT ?3`,
);

const INTERRUPTED = statement(
  "recovery_interrupted",
  () => `SELECT j.id FROM (SELECT DISTINCT r.job FROM requests r WHERE r.state <> 'emitted' AND r.job > ?3) o
      CROSS JOIN jobs j
    WHERE j.id = o.job AND ${checked("j.account")} = ?1 AND j.taker = ?2 AND ${checked("j.node")} = ?5
      AND EXISTS (SELECT 1 FROM requests e WHERE e.job = j.id AND e.state = 'emitted')
    ORDER BY j.id LIMIT ?4`,
);

/** ?4 epoch ms before which the jobs were taken. What is for nobody counts as one. */
const WAITING = statement(
  "recovery_waiting",
  () => `SELECT j.node, count(*) AS people
    FROM (SELECT r.id, r.job FROM requests r WHERE r.state <> 'emitted' AND r.job > ?2) o
      CROSS JOIN jobs j LEFT JOIN recipients c ON c.request = o.id
    WHERE j.id = o.job AND ${checked("j.account")} = ?1 AND ${checked("j.taker")} = ?3 AND j.taken_at + 0 < ?4
    GROUP BY j.node`,
);

const JOB = statement(
  "recovery_job",
  () => `SELECT j.job_key, j.account, j.node, j.taker, j.channel, j.snapshot,
      (SELECT count(*) FROM requests r WHERE r.job = j.id AND r.state <> 'emitted') AS open,
      (SELECT count(*) FROM requests r WHERE r.job = j.id) AS requests
    FROM jobs j WHERE j.id = ?1`,
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
    const [rows = []] = await this.engine.run([{ statement: HALF_QUEUED, values: [] }]);
    for (const row of rows) {
      await this.jobs.queueFilled(String(row.job_key), String(row.account));
    }
  }

  /**
   * This instance emits from now on what dead ones would have emitted at these nodes.
   * @returns ids of the jobs
   * @throws StoreError
   */
  async adopt(instance: string, account: string, nodes: readonly string[]): Promise<readonly number[]> {
    const [rows = []] = await this.engine.run(
      [{ statement: ADOPT, values: [instance, 0, account, JSON.stringify(nodes)] }],
      [queueTopic(account)],
    );
    return rows.map(({ id }) => Number(id));
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
   * A page of results of an account that this taker has to emit at a node.
   * @param after id of the last one of the page before; 0 for the first page
   * @throws StoreError
   */
  async settled(
    account: string,
    taker: string,
    node: string,
    after: number,
    most: number,
  ): Promise<readonly SettledPart[]> {
    const [rows = []] = await this.engine.run([
      { statement: SETTLED, values: [account, taker, after, most, node] },
    ]);
    return rows.map((row) => ({ ...toPart(row), job: Number(row.job), jobKey: String(row.job_key) }));
  }

  /**
   * A page of those requests of a job whose results have left: Join has lost the ones that it had.
   * @param after part of the last one of the page before; -1 for the first page
   * @throws StoreError
   */
  async emittedParts(job: number, after: number, most: number): Promise<readonly JobPart[]> {
    const [rows = []] = await this.engine.run([{ statement: EMITTED_PARTS, values: [job, after, most] }]);
    return rows.map(toPart);
  }

  /**
   * A page of the jobs of this taker at a node of which some results were emitted and others were not.
   * @param after the last one of the page before; 0 for the first page
   * @throws StoreError
   */
  async interrupted(
    account: string,
    taker: string,
    node: string,
    after: number,
    most: number,
  ): Promise<readonly number[]> {
    const [rows = []] = await this.engine.run([
      { statement: INTERRUPTED, values: [account, taker, after, most, node] },
    ]);
    return rows.map(({ id }) => Number(id));
  }

  /**
   * People whose results this taker has still to emit, by node.
   * @param age ms since when further messages do not count
   * @throws StoreError
   */
  async waiting(account: string, taker: string, age: number): Promise<ReadonlyMap<string, number>> {
    const [rows = []] = await this.engine.run([
      { statement: WAITING, values: [account, 0, taker, Math.floor(this.clock.now() - age)] },
    ]);
    return new Map(rows.map(({ node, people }) => [String(node), Number(people)]));
  }

  /** What is needed to restore the message of a job; null for one that is not there. @throws StoreError */
  async job(id: number): Promise<StoredJob | null> {
    const [[row] = []] = await this.engine.run([{ statement: JOB, values: [id] }]);
    return row === undefined
      ? null
      : {
          id,
          key: String(row.job_key),
          account: String(row.account),
          node: String(row.node),
          taker: String(row.taker),
          channel: String(row.channel),
          requests: Number(row.requests),
          open: Number(row.open),
          snapshot: textOf(row.snapshot),
        };
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
