import type { Outcome } from "../shared/outcomes";
import type { Clock } from "./clock";
import type { Engine } from "./engine/engine";
import { type Statement, statement } from "./schema/statement";
import { sliced } from "./sliced";
import { queueTopic } from "./topics";

const PAUSE = statement(
  "queue_pause",
  () => "INSERT INTO paused_accounts (account, at) VALUES (?1, ?2) ON CONFLICT (account) DO NOTHING",
);
const RESUME = statement("queue_resume", () => "DELETE FROM paused_accounts WHERE account = ?1");
const PAUSED = statement("queue_paused", () => "SELECT at FROM paused_accounts WHERE account = ?1");

const HOLD_JOB = statement(
  "queue_hold_job",
  (d) => `UPDATE requests SET state = 'held', due = NULL WHERE id IN (
      SELECT r.id FROM requests r WHERE r.job = ?1 AND r.state = 'queued' AND r.state <> 'emitted'
      ORDER BY r.part LIMIT ?2 ${d.skipLocked}) RETURNING id`,
);
const RESUME_JOB = statement(
  "queue_resume_job",
  (d) => `UPDATE requests SET state = 'queued' WHERE id IN (
      SELECT r.id FROM requests r WHERE r.job = ?1 AND r.state = 'held' AND r.state <> 'emitted'
      ORDER BY r.part LIMIT ?2 ${d.skipLocked}) RETURNING id, account`,
);

// The jobs of requests in a state whose node is, or is not, one of those in the list.
const jobsOf = (state: string, among: string, list: string): string =>
  `SELECT j.id FROM (SELECT DISTINCT q.job FROM requests q WHERE q.account = ?1 AND q.state = '${state}') o
    CROSS JOIN jobs j WHERE j.id = o.job AND j.node <> '' AND j.node ${among} (${list})`;

const PARK = statement(
  "queue_park",
  (d) => `UPDATE requests SET state = 'parked' WHERE id IN (
      SELECT r.id FROM requests r WHERE r.account = ?1 AND r.state = 'queued'
        AND r.job IN (${jobsOf("queued", "NOT IN", `SELECT ${d.text("e")} FROM ${d.each("?3", "e")}`)})
      LIMIT ?2 ${d.skipLocked}) RETURNING id`,
);
const UNPARK = statement(
  "queue_unpark",
  (d) => `UPDATE requests SET state = 'queued' WHERE id IN (
      SELECT r.id FROM requests r WHERE r.account = ?1 AND r.state = 'parked'
        AND r.job IN (${jobsOf("parked", "IN", `SELECT ${d.text("e")} FROM ${d.each("?3", "e")}`)})
      LIMIT ?2 ${d.skipLocked}) RETURNING id`,
);

const cancelText = (which: string, skipLocked: string): string =>
  `UPDATE requests SET state = 'settled', outcome = ?3, answer = ?4, settled_by = 'cancel', settled_at = ?5, since = ?5,
      due = NULL, content = NULL
    WHERE id IN (SELECT r.id FROM requests r WHERE ${which} LIMIT ?2 ${skipLocked}) RETURNING id`;

const CANCEL_JOB = statement("queue_cancel_job", (d) =>
  cancelText("r.job = ?1 AND r.state IN ('queued', 'held', 'parked') AND r.state <> 'emitted'", d.skipLocked),
);
const CANCEL_READY = statement("queue_cancel_ready", (d) =>
  cancelText("r.account = ?1 AND r.state = 'queued' AND r.due IS NULL", d.skipLocked),
);
const CANCEL_WAITING = statement("queue_cancel_waiting", (d) =>
  cancelText("r.account = ?1 AND r.state = 'queued' AND r.due IS NOT NULL", d.skipLocked),
);
const CANCEL_HELD = statement("queue_cancel_held", (d) =>
  cancelText("r.account = ?1 AND r.state = 'held'", d.skipLocked),
);

/** What becomes of a request that was cancelled before it left. */
export interface Cancelled {
  readonly outcome: Outcome;
  /** The result as JSON. */
  readonly answer: string;
}

/** What a person does with the queue. What is leaving is not touched by any of it. */
export class QueueControl {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {}

  /** Nothing of the account is claimed, until `resume`; in all processes, and after restarts too. @throws StoreError */
  async pause(account: string): Promise<void> {
    await this.engine.run([{ statement: PAUSE, values: [account, this.clock.now()] }]);
  }

  /** @throws StoreError */
  async resume(account: string): Promise<void> {
    await this.engine.run([{ statement: RESUME, values: [account] }], [queueTopic(account)]);
  }

  /** Epoch ms since when the account is paused; null where it is not. @throws StoreError */
  async pausedSince(account: string): Promise<number | null> {
    const [[row] = []] = await this.engine.run([{ statement: PAUSED, values: [account] }]);
    return row === undefined ? null : Number(row.at);
  }

  /** Holds what of a job has not left. @returns number of requests @throws StoreError */
  holdJob(job: number): Promise<number> {
    return this.#sliced(HOLD_JOB, job, [], []);
  }

  /** @returns number of requests that may leave again @throws StoreError */
  resumeJob(job: number, account: string): Promise<number> {
    return this.#sliced(RESUME_JOB, job, [], [queueTopic(account)]);
  }

  /**
   * Sets aside what would leave for nodes that do not exist, and lets go on what was set aside for nodes that are back.
   * @param nodes the ones that exist
   * @returns number of requests set aside
   * @throws StoreError
   */
  async park(account: string, nodes: readonly string[]): Promise<number> {
    const list = JSON.stringify(nodes);
    await this.#sliced(UNPARK, account, [list], [queueTopic(account)]);
    return this.#sliced(PARK, account, [list], []);
  }

  /** Settles what of a job has not left; its results are emitted like others. @returns number of requests @throws StoreError */
  cancelJob(job: number, { outcome, answer }: Cancelled): Promise<number> {
    return this.#sliced(CANCEL_JOB, job, [outcome, answer, this.clock.now()], []);
  }

  /** Settles everything of an account that has not left. @returns number of requests @throws StoreError */
  async cancelAccount(account: string, { outcome, answer }: Cancelled): Promise<number> {
    let total = 0;
    for (const each of [CANCEL_READY, CANCEL_WAITING, CANCEL_HELD]) {
      total += await this.#sliced(each, account, [outcome, answer, this.clock.now()], []);
    }
    return total;
  }

  #sliced(
    change: Statement,
    which: string | number,
    values: readonly (string | number)[],
    wake: readonly string[],
  ): Promise<number> {
    return sliced(async (most) => {
      const [rows = []] = await this.engine.run(
        [{ statement: change, values: [which, most, ...values] }],
        wake,
      );
      return rows.length;
    });
  }
}
