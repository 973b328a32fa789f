import { StoreError } from "../../../store/engine/store-error";

/**
 * What a queue knows of its store.
 * - `sound`: it works and knows this process. At first, and again where a heartbeat finds it so.
 * - `doubtful`: it has failed. Entered by any failure. The queue asks with a heartbeat before it claims, since a claim of nothing would
 *   not show a fault: it writes nothing.
 * - `lost`: it works and does not know this process, because another file is in its place. Never left: the queue sends nothing more.
 */
type StoreHealthMode = "sound" | "doubtful" | "lost";

/** Whether the store of a queue can be trusted, and what people were notified of. */
export class StoreHealth {
  #mode: StoreHealthMode = "sound";
  /** Whether people were notified of a fault. */
  #notified = false;

  /** @param notify people of each failure, and with null when it works again */
  constructor(private readonly notify: (error: Error | null) => void) {}

  get mode(): StoreHealthMode {
    return this.#mode;
  }

  failed(error: unknown): void {
    this.#notified = true;
    if (error instanceof StoreError && this.#mode === "sound") {
      this.#mode = "doubtful";
    }
    this.notify(error as Error);
  }

  works(): void {
    if (this.#notified) {
      this.#notified = false;
      this.notify(null);
    }
  }

  /** Asks the store where it is in doubt. @param beat false: it does not know this process @returns whether to claim @throws StoreError */
  async prove(beat: () => Promise<boolean>, lost: () => void): Promise<boolean> {
    if (this.#mode === "doubtful") {
      // A failure meanwhile is a new doubt.
      this.#mode = "sound";
      if (!(await beat())) {
        this.#mode = "lost";
        lost();
      }
    }
    return this.#mode !== "lost";
  }
}
