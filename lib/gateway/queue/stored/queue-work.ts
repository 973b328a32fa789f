import { UnderWay } from "../../../shared/async/under-way";
import { QueueTimers } from "./queue-timers";
import { StoreHealth } from "./store-health";

/** What a queue is doing in the store, and what it knows of the store. */
export class QueueWork {
  readonly health: StoreHealth;
  readonly timers: QueueTimers;
  /** Requests that are being accepted and claimed in one. */
  readonly departing = new UnderWay();
  readonly #tracked = new Set<Promise<unknown>>();

  /** @param notify people of each failure, and with null when the store works again @param wake there may be something to send */
  constructor(
    notify: (error: Error | null) => void,
    readonly wake: () => void,
  ) {
    this.health = new StoreHealth(notify);
    this.timers = new QueueTimers(wake);
  }

  /** The queue does not close before this has ended. */
  track(work: Promise<unknown>): void {
    this.#tracked.add(work);
    const end = (): void => void this.#tracked.delete(work);
    work.then(end, (error: unknown) => {
      end();
      this.health.failed(error);
    });
  }

  /** The store has failed, and is asked again later. */
  failed(error: unknown): void {
    this.health.failed(error);
    this.timers.retry();
  }

  /** Resolves when all that is under way now has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#tracked, this.departing.idle()]);
  }
}
