import { hostname } from "node:os";
import type { Clock } from "./engine/clock";
import type { Engine } from "./engine/engine";
import { call, rowsOf } from "./engine/query";
import { each, NOW, textOf, textsOf } from "./schema/sql";
import { statement } from "./schema/statement";
import { INSTANCES_TOPIC } from "./schema/topics";

/** ms between two heartbeats. */
export const BEAT_INTERVAL = 5_000;
/** ms without a heartbeat after which others call an instance dead. */
export const LEASE = 60_000;
/** Part of the lease during which an instance may still send: the rest is for requests that are on their way then. */
const SENDING = 0.5;

const ADD = statement("instances_add")`
    INSERT INTO instances (id, host, process, started_at, beat_at) VALUES (?1, ?2, ?3, ${NOW}, ${NOW})`;

const BEAT = statement("instances_beat")`
    UPDATE instances SET beat_at = ${NOW} WHERE id = ?1 AND dead_at IS NULL RETURNING id`;

/** The clock was set back: the lease begins anew. */
const CORRECT = statement("instances_correct")`
    UPDATE instances SET beat_at = ${NOW} WHERE dead_at IS NULL AND beat_at > ${NOW}`;

const FIND_DEAD = statement("instances_find_dead")`
    UPDATE instances SET dead_at = ${NOW}
    WHERE id <> ?1 AND dead_at IS NULL AND (?2 = 1 OR beat_at < ${NOW} - ?3) RETURNING id`;

const LEAVE = statement("instances_leave")`
    UPDATE instances SET dead_at = ${NOW} WHERE id = ?1 AND dead_at IS NULL`;

const TAKE_OVER_TEXTS = statement("instances_take_over_texts")`
    UPDATE outbox SET owner = ?1 WHERE owner IN (${textsOf("?2")}) AND owner IS NOT NULL AND state IN ('queued', 'paused', 'orphaned')`;

const END_FORMER = statement("instances_end_former")`
    UPDATE instances SET dead_at = ${NOW} WHERE id IN (${textsOf("?2")}) AND id <> ?1 AND dead_at IS NULL`;

const FORGET = statement("instances_forget")`
    DELETE FROM instances WHERE dead_at IS NOT NULL AND dead_at < ${NOW} - ?1
    AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.state = 'sending' AND o.owner = instances.id)`;

const DEAD = statement("instances_dead")`SELECT id FROM instances WHERE dead_at IS NOT NULL`;

const ENTER_NODES = statement("instances_enter_nodes")`
    INSERT INTO instance_nodes (instance, account, node)
    SELECT CAST(?1 AS text), CAST(?2 AS text), ${textOf()} FROM ${each("?3")} WHERE true
    ON CONFLICT (account, node, instance) DO NOTHING`;

const REMOVE_NODES = statement("instances_remove_nodes")`
    DELETE FROM instance_nodes WHERE instance = ?1 AND account = ?2
    AND node NOT IN (${textsOf("?3")})`;

const FORGET_NODES = statement("instances_forget_nodes")`
    DELETE FROM instance_nodes WHERE NOT EXISTS (
      SELECT 1 FROM instances i WHERE i.id = instance_nodes.instance AND i.dead_at IS NULL)`;

const NODES = statement("instances_nodes")`
    SELECT DISTINCT n.node FROM instance_nodes n JOIN instances i ON i.id = n.instance
    WHERE n.account = ?1 AND n.instance <> ?2 AND i.dead_at IS NULL`;

/**
 * The processes that share a store, this one among them. An instance that was called dead stays dead; the process goes on as a new
 * one, with a new `Instances`. Every call may throw StoreError.
 */
export class Instances {
  /** Elapsed ms at the start of the last heartbeat that reached the store, and its epoch ms; null before the first. */
  #beatAt: number | null = null;
  #beatTime = 0;
  #alive = true;
  /** Resolves when the nodes of earlier calls are entered. */
  #entering: Promise<void> = Promise.resolve();
  /** Dead ones that were reported. */
  #reported: ReadonlySet<string> = new Set();

  /** @param id new for each start of the process, and for each life of it */
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    readonly id: string,
  ) {}

  /** Enters this instance; on a store that only one process can open, all others are dead. */
  async start(): Promise<void> {
    const [began, time] = [this.clock.elapsed(), this.clock.now()];
    await this.engine.run([
      call(ADD, this.id, hostname(), process.pid),
      call(FIND_DEAD, this.id, this.engine.exclusive ? 1 : 0, LEASE),
    ]);
    this.#beatAt = began;
    this.#beatTime = time;
  }

  /** This process goes on under this name: sensitive requests whose texts it has are sent by this instance. @param former its names before */
  async succeed(former: readonly string[]): Promise<void> {
    if (former.length > 0) {
      const values = [this.id, JSON.stringify(former)];
      await this.engine.run(
        [TAKE_OVER_TEXTS, END_FORMER].map((each) => call(each, ...values)),
        [INSTANCES_TOPIC],
      );
    }
  }

  /** A heartbeat. To be called every `BEAT_INTERVAL`. @returns false once others have called this instance dead */
  async beat(): Promise<boolean> {
    // What counts is when it left here: it may have waited for the database.
    const [began, time] = [this.clock.elapsed(), this.clock.now()];
    const rows = await rowsOf(this.engine, BEAT, this.id);
    this.#alive &&= rows.length > 0;
    if (this.#alive && began >= (this.#beatAt ?? began)) {
      this.#beatAt = began;
      this.#beatTime = time;
    }
    return this.#alive;
  }

  /**
   * Whether a request that is claimed may leave now. False when the last heartbeat is too long ago by one of this process's own clocks:
   * it was stopped, or the store is away, and others may call its requests `unknown` soon. The monotonic clock does not go on while the
   * computer sleeps, the other one may be set. Synchronous, to be asked directly before the first byte leaves.
   */
  get mayLeave(): boolean {
    if (!this.#alive || this.#beatAt === null) {
      return false;
    }
    // Nobody else can open the store, however long this process is stopped.
    const since = Math.max(this.clock.elapsed() - this.#beatAt, this.clock.now() - this.#beatTime);
    return this.engine.exclusive || since < LEASE * SENDING;
  }

  /**
   * Calls those dead who have not been heard of for a lease.
   * @returns ids of all that are dead and were not among the answers before, whoever called them dead
   */
  async findDead(): Promise<readonly string[]> {
    const [, , rows = []] = await this.engine.run([
      call(CORRECT),
      call(FIND_DEAD, this.id, this.engine.exclusive ? 1 : 0, LEASE),
      call(DEAD),
    ]);
    const dead = rows.map(({ id }) => String(id));
    const found = dead.filter((id) => !this.#reported.has(id));
    this.#reported = new Set(dead);
    return found;
  }

  /** This process runs these send nodes of the account, and no others. The last call holds, however long one before takes. */
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

  /** The process ends: what it has marked as leaving is for others to settle. */
  async leave(): Promise<void> {
    this.#alive = false;
    await this.engine.run([call(LEAVE, this.id)], [INSTANCES_TOPIC]);
  }

  /** Deletes instances that have been dead for `age` ms. */
  async forget(age: number): Promise<void> {
    await this.engine.run([call(FORGET_NODES), call(FORGET, age)]);
  }
}
