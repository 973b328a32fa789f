import { StoreError } from "../../../store/engine/store-error";

/** Whether the store of a queue works, and whether users were notified of a failure. */
export class StoreHealth {
  #failed = false;
  #notified = false;

  /** @param notify users of each failure, and with null when it works again */
  constructor(private readonly notify: (error: Error | null) => void) {}

  get isSound(): boolean {
    return !this.#failed;
  }

  failed(error: unknown): void {
    this.#notified = true;
    this.#failed ||= error instanceof StoreError;
    this.notify(error as Error);
  }

  works(): void {
    if (this.#notified) {
      this.#notified = false;
      this.notify(null);
    }
  }

  /**
   * Sends a heartbeat after a failure: a claim that finds nothing writes nothing, so it succeeds on a full disk.
   * @returns false if the lease of this process has expired
   * @throws StoreError
   */
  async prove(beat: () => Promise<boolean>): Promise<boolean> {
    if (!this.#failed) {
      return true;
    }
    this.#failed = false;
    return beat();
  }
}
