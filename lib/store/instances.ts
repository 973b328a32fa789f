import { hostname } from "node:os";
import type { Clock } from "./engine/clock";
import type { Engine } from "./engine/engine";
import { call, rowsOf } from "./engine/query";
import { each, NOW, textOf, textsOf } from "./schema/sql";
import { statement } from "./schema/statement";
import { INSTANCES_TOPIC } from "./schema/topics";

/** ms between two heartbeats. */
export const HEARTBEAT_INTERVAL = 5_000;
/** ms without a heartbeat after which an instance has expired. */
export const LEASE = 60_000;
/** Part of the lease during which an instance may still send: the rest is for requests that are on their way then. */
const SENDING = 0.5;

const ADD = statement("instances_add")`
    INSERT INTO instances (id, host, process, started_at, heartbeat_at) VALUES (?1, ?2, ?3, ${NOW}, ${NOW})`;

const HEARTBEAT = statement("instances_heartbeat")`
    UPDATE instances SET heartbeat_at = ${NOW} WHERE id = ?1 AND expired_at IS NULL RETURNING id`;

/** Restarts leases after the clock was set back. */
const CORRECT = statement("instances_correct")`
    UPDATE instances SET heartbeat_at = ${NOW} WHERE expired_at IS NULL AND heartbeat_at > ${NOW}`;

const EXPIRE = statement("instances_expire")`
    UPDATE instances SET expired_at = ${NOW}
    WHERE id <> ?1 AND expired_at IS NULL AND (?2 = 1 OR heartbeat_at < ${NOW} - ?3) RETURNING id`;

const LEAVE = statement("instances_leave")`
    UPDATE instances SET expired_at = ${NOW} WHERE id = ?1 AND expired_at IS NULL`;

const TAKE_OVER_TEXTS = statement("instances_take_over_texts")`
    UPDATE outbox SET owner = ?1 WHERE owner IN (${textsOf("?2")}) AND owner IS NOT NULL AND state IN ('queued', 'paused', 'orphaned')`;

const EXPIRE_PREVIOUS = statement("instances_expire_previous")`
    UPDATE instances SET expired_at = ${NOW} WHERE id IN (${textsOf("?2")}) AND id <> ?1 AND expired_at IS NULL`;

const FORGET = statement("instances_forget")`
    DELETE FROM instances WHERE expired_at IS NOT NULL AND expired_at < ${NOW} - ?1
    AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.state = 'sending' AND o.owner = instances.id)`;

const EXPIRED = statement("instances_expired")`SELECT id FROM instances WHERE expired_at IS NOT NULL`;

const ENTER_NODES = statement("instances_enter_nodes")`
    INSERT INTO instance_nodes (instance, account, node)
    SELECT CAST(?1 AS text), CAST(?2 AS text), ${textOf()} FROM ${each("?3")} WHERE true
    ON CONFLICT (account, node, instance) DO NOTHING`;

const REMOVE_NODES = statement("instances_remove_nodes")`
    DELETE FROM instance_nodes WHERE instance = ?1 AND account = ?2
    AND node NOT IN (${textsOf("?3")})`;

const FORGET_NODES = statement("instances_forget_nodes")`
    DELETE FROM instance_nodes WHERE NOT EXISTS (
      SELECT 1 FROM instances i WHERE i.id = instance_nodes.instance AND i.expired_at IS NULL)`;

const NODES = statement("instances_nodes")`
    SELECT DISTINCT n.node FROM instance_nodes n JOIN instances i ON i.id = n.instance
    WHERE n.account = ?1 AND n.instance <> ?2 AND i.expired_at IS NULL`;

/**
 * Leases of the processes that share a store. An expired instance stays expired: its process registers again with a new `Instances`.
 * Every call may throw StoreError.
 */
export class Instances {
  /** Start of the last heartbeat that reached the store, by both clocks; null before the first. */
  #heartbeat: { readonly elapsed: number; readonly time: number } | null = null;
  #expired = false;
  /** Resolves when the nodes of earlier calls are recorded. */
  #entering: Promise<void> = Promise.resolve();
  /** Expired instances of the last `findExpired`. */
  #reported: ReadonlySet<string> = new Set();

  /** @param id new for each registration of the process */
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    readonly id: string,
  ) {}

  /** Registers this instance, and expires all others of a store that only one process can open. */
  async start(): Promise<void> {
    const started = this.#readClocks();
    await this.engine.run([
      call(ADD, this.id, hostname(), process.pid),
      call(EXPIRE, this.id, this.engine.exclusive ? 1 : 0, LEASE),
    ]);
    this.#heartbeat = started;
  }

  #readClocks() {
    return { elapsed: this.clock.elapsed(), time: this.clock.now() };
  }

  /** Takes over sensitive requests of earlier registrations of this process. @param previous their ids */
  async succeed(previous: readonly string[]): Promise<void> {
    if (previous.length > 0) {
      const values = [this.id, JSON.stringify(previous)];
      await this.engine.run(
        [TAKE_OVER_TEXTS, EXPIRE_PREVIOUS].map((each) => call(each, ...values)),
        [INSTANCES_TOPIC],
      );
    }
  }

  /** Renews the lease, every `HEARTBEAT_INTERVAL`. @returns false if this instance has expired */
  async sendHeartbeat(): Promise<boolean> {
    // The lease starts before the call, which may wait for the database.
    const started = this.#readClocks();
    const rows = await rowsOf(this.engine, HEARTBEAT, this.id);
    this.#expired ||= rows.length === 0;
    if (!this.#expired && started.elapsed >= (this.#heartbeat?.elapsed ?? 0)) {
      this.#heartbeat = started;
    }
    return !this.#expired;
  }

  /**
   * True if a claimed request may be sent: others make requests `unknown` when the lease has expired. Synchronous for the check directly before
   * the first byte. It uses both clocks, because the monotonic one stands still while the computer sleeps and the other one may be set.
   */
  get mayLeave(): boolean {
    if (this.#expired || this.#heartbeat === null) {
      return false;
    }
    // No other process can open an exclusive store, however long this one is stopped.
    const now = this.#readClocks();
    const since = Math.max(now.elapsed - this.#heartbeat.elapsed, now.time - this.#heartbeat.time);
    return this.engine.exclusive || since < LEASE * SENDING;
  }

  /**
   * Expires instances without a heartbeat for a lease.
   * @returns ids of all expired instances that the last call did not return, whoever expired them
   */
  async findExpired(): Promise<readonly string[]> {
    const [, , rows = []] = await this.engine.run([
      call(CORRECT),
      call(EXPIRE, this.id, this.engine.exclusive ? 1 : 0, LEASE),
      call(EXPIRED),
    ]);
    const expired = rows.map(({ id }) => String(id));
    const found = expired.filter((id) => !this.#reported.has(id));
    this.#reported = new Set(expired);
    return found;
  }

  /** Records the send nodes of the account that this process runs. Calls are run in order. */
  runs(account: string, nodes: readonly string[]): Promise<void> {
    const entering = this.#entering.then(() => this.#enter(account, nodes));
    this.#entering = entering.catch(() => {});
    return entering;
  }

  async #enter(account: string, nodes: readonly string[]): Promise<void> {
    const list = JSON.stringify(nodes);
    await this.engine.run([
      call(REMOVE_NODES, this.id, account, list),
      call(ENTER_NODES, this.id, account, list),
    ]);
  }

  /** Send nodes of the account that other processes run. */
  async nodesElsewhere(account: string): Promise<readonly string[]> {
    const rows = await rowsOf(this.engine, NODES, account, this.id);
    return rows.map(({ node }) => String(node));
  }

  /** Ends the registration: other processes settle what this one was sending. */
  async leave(): Promise<void> {
    this.#expired = true;
    await this.engine.run([call(LEAVE, this.id)], [INSTANCES_TOPIC]);
  }

  /** Deletes instances that expired `age` ms ago. */
  async forget(age: number): Promise<void> {
    await this.engine.run([call(FORGET_NODES), call(FORGET, age)]);
  }
}
