import type { Instances } from "../../store/instances";
import type { Store } from "../../store/store";

/** Milliseconds after which rows of ended processes are deleted. */
const FORGET_AFTER = 24 * 60 * 60 * 1000;
const PAGE = 100;
/** Milliseconds to check an event again that arrived together with the response of its message. */
const LINKING = 10 * 60 * 1000;

/** Recovers work of ended processes: sending becomes `unknown`, staging is removed, sensitive texts become `retry-later`. */
export class LeftWork {
  #looking = false;
  #recoveryPending = false;

  constructor(
    private readonly store: Store,
    private readonly instances: Instances,
  ) {}

  /** @throws StoreError */
  async begin(): Promise<void> {
    await this.instances.findExpired();
    await this.#recover();
    await this.instances.forget(FORGET_AFTER);
  }

  /** Heartbeats continue during a long recovery. @returns null after a failure or while a check runs */
  async look(): Promise<"ended" | "none" | null> {
    if (this.#looking) {
      return null;
    }
    this.#looking = true;
    try {
      return (await this.#findWork()) ? "ended" : "none";
    } catch {
      // Users of the store report the failure.
      return null;
    } finally {
      this.#looking = false;
    }
  }

  async #findWork(): Promise<boolean> {
    await this.store.deliveries.link(LINKING);
    const dead = await this.instances.findExpired();
    this.#recoveryPending ||= dead.length > 0;
    const anyEnded = this.#recoveryPending;
    // Also without an ended process: a paused one may have started a message, or a recovering one may have ended.
    await this.#recover();
    if (anyEnded) {
      this.#recoveryPending = false;
      await this.instances.forget(FORGET_AFTER);
    }
    return anyEnded;
  }

  async #recover(): Promise<void> {
    const { recovery, settlements } = this.store;
    await recovery.settleOrphans();
    await settlements.dropUnheard();
    await this.#removeBegun();
    await recovery.finishQueueing();
    await recovery.settleTextless();
  }

  async #removeBegun(): Promise<void> {
    const { jobs, recovery } = this.store;
    for (let ids = await recovery.uncommitted(PAGE); ids.length > 0; ids = await recovery.uncommitted(PAGE)) {
      for (const id of ids) {
        await jobs.abandon(id);
      }
    }
  }
}
