import type { Rates } from "../../store/jobs/rates";
import { HEARTBEAT_INTERVAL, LEASE } from "../../store/instances";

/** ms for which a count holds, and for which a newcomer waits: by then each other process has counted again, or sends nothing. */
const VALID_MS = 2 * HEARTBEAT_INTERVAL;
/** ms until a process without a valid count checks again. */
const RETRY_MS = 1_000;

/** The share that this process has of the rate of a service: one for each living process that sends to it. */
export class RateShare {
  #countedAt = Number.NEGATIVE_INFINITY;
  #startsAt = 0;
  #isStopped = false;
  readonly #timer: NodeJS.Timeout;

  /** @param onCount called with the number of processes @param onError called with a StoreError */
  constructor(
    private readonly rates: Rates,
    private readonly origin: string,
    private readonly instance: string,
    private readonly onCount: (processes: number) => void,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#timer = setInterval(() => void this.#renew(), HEARTBEAT_INTERVAL).unref();
    void this.#renew();
  }

  /** ms for which this process may send nothing. */
  get heldFor(): number {
    const now = performance.now();
    return now - this.#countedAt > VALID_MS ? RETRY_MS : Math.max(0, this.#startsAt - now);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    try {
      await this.rates.renewShare(this.origin, this.instance);
      const now = performance.now();
      const processes = await this.rates.countShares(this.origin, LEASE);
      if (this.#isStopped) {
        return;
      }
      if (now - this.#countedAt > VALID_MS) {
        // The others may not have counted this process.
        this.#startsAt = processes > 1 ? performance.now() + VALID_MS : 0;
      }
      this.#countedAt = now;
      this.onCount(processes);
    } catch (error) {
      // Without a valid count nothing is sent, so no claim would report the error.
      this.onError(error);
    }
  }
}
