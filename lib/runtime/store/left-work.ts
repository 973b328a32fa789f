import type { Instances } from "../../store/instances";
import type { Store } from "../../store/store";

/** ms after which rows of processes that ended are deleted. */
const FORGET_AFTER = 24 * 60 * 60 * 1000;
/** Messages of one page. */
const PAGE = 100;
/** ms for which an event is looked at again that came at the same moment as the answer to its message. */
const LINKING = 10 * 60 * 1000;

/** Looks after what processes have left in a database that ended: what was leaving is `unknown`, what was begun is removed, what only they had the text of is `retry-later`. */
export class LeftWork {
  #looking = false;
  /** Ended processes were found, and what they have left is not recovered yet. */
  #recoveryPending = false;

  constructor(
    private readonly store: Store,
    /** This process, and the others. */
    private readonly instances: Instances,
  ) {}

  /** Recovers what is there as this process begins. @throws StoreError */
  async begin(): Promise<void> {
    await this.instances.findExpired();
    await this.#recover();
    await this.instances.forget(FORGET_AFTER);
  }

  /**
   * Looks for processes that have ended. What they have left may be much: heartbeats go on meanwhile.
   * @returns whether any have ended; null where it failed, or goes on already
   */
  async look(): Promise<"ended" | "none" | null> {
    if (this.#looking) {
      return null;
    }
    this.#looking = true;
    try {
      return (await this.#findWork()) ? "ended" : "none";
    } catch {
      // Whoever uses the store tells people.
      return null;
    } finally {
      this.#looking = false;
    }
  }

  /** Looks for processes that have ended, and for what they claimed until they were found dead. @returns whether any have */
  async #findWork(): Promise<boolean> {
    await this.store.deliveries.link(LINKING);
    const dead = await this.instances.findExpired();
    this.#recoveryPending ||= dead.length > 0;
    const anyEnded = this.#recoveryPending;
    // Also where none has: a process that was stopped may have begun a message after it was found dead, and whoever found one may have
    // ended before it had done this.
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

  /** Removes messages that ended processes have begun and not completed. */
  async #removeBegun(): Promise<void> {
    const { jobs, recovery } = this.store;
    for (let ids = await recovery.uncommitted(PAGE); ids.length > 0; ids = await recovery.uncommitted(PAGE)) {
      for (const id of ids) {
        await jobs.abandon(id);
      }
    }
  }
}
