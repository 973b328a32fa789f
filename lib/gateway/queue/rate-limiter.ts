import type { CancelSignal } from "../http/cancel-signal";
import type { Timing } from "../http/timing";

/** Limits requests to an origin in the whole process: the service counts by IP address. The lowest rate of its users holds. */
export class RateLimiter {
  static readonly #byOrigin = new Map<string, RateLimiter>();

  /** Joins the limiter of an origin, which exists from its first user to its last. */
  static join(
    origin: string,
    requestsPerSecond: number,
    timing: Timing,
  ): { limiter: RateLimiter; leave: () => void } {
    const limiter = RateLimiter.#byOrigin.get(origin) ?? new RateLimiter(timing);
    RateLimiter.#byOrigin.set(origin, limiter);
    const user = Symbol(origin);
    limiter.#rates.set(user, requestsPerSecond > 0 ? requestsPerSecond : Number.POSITIVE_INFINITY);
    limiter.#settle();
    return {
      limiter,
      leave: () => {
        limiter.#rates.delete(user);
        limiter.#settle();
        if (limiter.#rates.size === 0 && RateLimiter.#byOrigin.get(origin) === limiter) {
          RateLimiter.#byOrigin.delete(origin);
        }
      },
    };
  }

  readonly #rates = new Map<symbol, number>();
  #interval = 0;
  /** Moments of `Timing.elapsed`; 0 for none. */
  #nextSendTime = 0;
  #blockedUntil = 0;
  readonly #listeners = new Set<(ms: number) => void>();

  private constructor(private readonly timing: Timing) {}

  #settle(): void {
    const lowest = Math.min(...this.#rates.values(), Number.POSITIVE_INFINITY);
    this.#interval = lowest === Number.POSITIVE_INFINITY ? 0 : 1000 / lowest;
  }

  /** True when a request may leave without `turn`. This is the usual case and costs no promise. */
  get free(): boolean {
    if (this.#blockedUntil > 0 && this.blockedFor === 0) {
      this.#blockedUntil = 0;
    }
    return this.#interval === 0 && this.#blockedUntil === 0;
  }

  /** ms between two requests; 0 without a limit. */
  get interval(): number {
    return this.#interval;
  }

  /** ms until a back-off ends; 0 for none. */
  get blockedFor(): number {
    return Math.max(0, this.#blockedUntil - this.timing.elapsed());
  }

  /** Calls back with the ms of each back-off. @returns ends it */
  onBackOff(listener: (ms: number) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when the next request may leave, or when the signal is stopped. */
  async turn(signal: CancelSignal): Promise<void> {
    for (;;) {
      const now = this.timing.elapsed();
      if (this.#blockedUntil <= now) {
        this.#blockedUntil = 0;
      }
      const sendTime = Math.max(now, this.#nextSendTime, this.#blockedUntil);
      this.#nextSendTime = sendTime + this.#interval;
      // A timer can fire early.
      for (let left = sendTime - now; left > 0 && !signal.stopped; left = sendTime - this.timing.elapsed()) {
        await this.timing.sleep(left, signal);
      }
      // If a back-off began during the wait, this time is void and a later one is taken.
      if (signal.stopped || this.#blockedUntil <= sendTime) {
        return;
      }
    }
  }

  /** Holds all requests for `ms`. A longer pause in force stays. */
  backOff(ms: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.timing.elapsed() + ms);
    for (const listener of this.#listeners) {
      listener(ms);
    }
  }
}
