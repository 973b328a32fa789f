import type { CancelSignal } from "../http/cancel-signal";
import type { Timing } from "../http/timing";

/** ms by which a request may be sent before its time, at least; half an interval if that is longer. */
const MIN_TOLERANCE_MS = 10;
/** Processes that share a rate stay below it, so that no second has more than one request above the share of each. */
const SLACK = 1.02;

/** Limits requests to an origin in the whole process: the service counts by IP address. The lowest rate of its users holds. */
export class RateLimiter {
  static readonly #byOrigin = new Map<string, RateLimiter>();

  /** Joins the limiter of an origin, which exists from its first user to its last. */
  static join(
    origin: string,
    requestsPerSecond: number,
    timing: Timing,
  ): { limiter: RateLimiter; share: (processes: number) => void; leave: () => void } {
    const limiter = RateLimiter.#byOrigin.get(origin) ?? new RateLimiter(timing);
    RateLimiter.#byOrigin.set(origin, limiter);
    const user = Symbol(origin);
    const interval = requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0;
    const set = (ms: number): void => {
      limiter.#intervals.set(user, ms);
      limiter.#settle();
    };
    set(interval);
    return {
      limiter,
      share: (processes) => {
        if (limiter.#intervals.has(user)) {
          set(interval * Math.max(1, processes) * SLACK);
        }
      },
      leave: () => {
        limiter.#intervals.delete(user);
        limiter.#settle();
        if (limiter.#intervals.size === 0 && RateLimiter.#byOrigin.get(origin) === limiter) {
          RateLimiter.#byOrigin.delete(origin);
        }
      },
    };
  }

  /** ms between two requests, by user. */
  readonly #intervals = new Map<symbol, number>();
  #interval = 0;
  /** Moments of `Timing.elapsed`; 0 for none. */
  #nextSendTime = 0;
  #nextDeparture = 0;
  #blockedUntil = 0;
  readonly #listeners = new Set<(ms: number) => void>();

  private constructor(private readonly timing: Timing) {}

  #settle(): void {
    this.#interval = Math.max(0, ...this.#intervals.values());
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

  /** ms until the next slot. */
  get nextIn(): number {
    return Math.max(0, Math.max(this.#nextSendTime, this.#blockedUntil) - this.timing.elapsed());
  }

  /** Takes the next slot. @returns ms until it starts */
  takeSlot(): number {
    const now = this.timing.elapsed();
    const start = Math.max(now, this.#nextSendTime, this.#blockedUntil);
    this.#nextSendTime = start + this.#interval;
    return start - now;
  }

  /** A request is about to be sent. @returns false in a back-off, or if the request before it was sent too late for that */
  depart(): boolean {
    const now = this.timing.elapsed();
    const tolerance = Math.max(MIN_TOLERANCE_MS, this.#interval / 2);
    if (this.#blockedUntil > now || (this.#interval > 0 && now < this.#nextDeparture - tolerance)) {
      return false;
    }
    this.#nextDeparture = Math.max(now, this.#nextDeparture) + this.#interval;
    return true;
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
      const sendTime = now + this.takeSlot();
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
