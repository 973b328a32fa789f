import type { CancelSignal } from "../http/cancel-signal";
import type { Timing } from "../http/timing";

/**
 * Paces requests to one service origin for the whole process: the service counts by IP address, so accounts
 * that share an origin share its pace. The lowest rate of its users holds.
 * Contract: code 4023.
 */
export class RateLimiter {
  static readonly #byOrigin = new Map<string, RateLimiter>();

  /** The limiter of an origin, made on first use and dropped with its last user. */
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

  readonly #timing: Timing;
  readonly #rates = new Map<symbol, number>();
  /** ms between two requests; 0 without a limit. */
  #interval = 0;
  /** Moments of `Timing.elapsed`; 0 for none. */
  #nextSlot = 0;
  #blockedUntil = 0;

  private constructor(timing: Timing) {
    this.#timing = timing;
  }

  #settle(): void {
    const lowest = Math.min(...this.#rates.values(), Number.POSITIVE_INFINITY);
    this.#interval = lowest === Number.POSITIVE_INFINITY ? 0 : 1000 / lowest;
  }

  /** True when a request may leave right now without asking; the usual case, so it costs no promise. */
  get free(): boolean {
    return this.#interval === 0 && this.#blockedUntil === 0;
  }

  /** Resolves when the next request may leave, or when the gate is stopped. */
  async turn(gate: CancelSignal): Promise<void> {
    for (;;) {
      const now = this.#timing.elapsed();
      if (this.#blockedUntil <= now) {
        this.#blockedUntil = 0;
      }
      const slot = Math.max(now, this.#nextSlot, this.#blockedUntil);
      this.#nextSlot = slot + this.#interval;
      // Again where a timer came early or was cut short.
      for (let left = slot - now; left > 0 && !gate.stopped; left = slot - this.#timing.elapsed()) {
        await this.#timing.sleep(left, gate);
      }
      // A back-off may have begun during the wait: then this slot is void and a later one is taken.
      if (gate.stopped || this.#blockedUntil <= slot) {
        return;
      }
    }
  }

  /** Lets nobody pass for `ms`; a longer one already in force stays. */
  backOff(ms: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#timing.elapsed() + ms);
  }
}
