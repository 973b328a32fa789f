import type { LimitPeriod } from "../../store/guards/limits";
import type { LimitSettings } from "./limit-settings";
import { limitPeriods } from "./limit-periods";

/** ms between two looks at the clock, which may be set: a timer of Node.js that is longer than 24.8 days ends at once. */
const LONGEST_TIMER = 3_600_000;

/** Share of a limit from which people are warned: four fifths. */
const isNear = (messages: number, limit: number): boolean => messages * 5 >= limit * 4;

/** How much of a limit of the account is used. */
export interface LimitUse {
  readonly period: LimitPeriod;
  /** Billed messages that were reserved in the period. */
  readonly messages: number;
  readonly limit: number;
  /** Whether nothing more leaves in the period. */
  readonly reached: boolean;
  /** Epoch ms at which the period ends. */
  readonly ends: number;
}

export interface LimitListener {
  /** The use of the limit that is nearest to its end, where one is at 80 % or more; else null. Called for each change. */
  readonly shown: (use: LimitUse | null) => void;
  /** A limit is at 80 %, or reached. Called once for each period, limit and of the two, also across deploys. */
  readonly warned: (use: LimitUse) => void;
}

/** The last warning of a limit in a period. */
interface Warned {
  readonly ends: number;
  readonly reached: boolean;
}

/** By scope, period and limit. */
const warned = new Map<string, Warned>();

/** Tells when the messages of an account come near a limit of an hour or a day. */
export class LimitWarnings {
  readonly #uses = new Map<LimitPeriod, LimitUse>();
  #shown: LimitUse | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  /** @param zone IANA name */
  constructor(
    private readonly scope: string,
    private readonly zone: string,
    private readonly listener: LimitListener,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Messages were reserved, or given back.
   * @param messages how many are reserved now in the period, in all processes. Of a reservation that is refused, the limit itself
   */
  spent(period: LimitPeriod, messages: number, limit: number): void {
    if (this.#closed) {
      return;
    }
    if (isNear(messages, limit)) {
      const { hourEnds, dayEnds } = limitPeriods(this.now(), this.zone);
      const ends = period === "hour" ? hourEnds : dayEnds;
      const use = { period, messages, limit, reached: messages >= limit, ends };
      this.#uses.set(period, use);
      this.#warn(use);
      this.#show();
    } else if (this.#uses.delete(period)) {
      this.#show();
    }
  }

  /** As `spent`, for each limit of an account. */
  all(spent: Readonly<Record<LimitPeriod, number>>, limits: Pick<LimitSettings, LimitPeriod> | null): void {
    for (const period of ["hour", "day"] as const) {
      const limit = limits?.[period] ?? null;
      if (limit !== null) {
        this.spent(period, spent[period], limit);
      }
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer ?? undefined);
  }

  #warn(use: LimitUse): void {
    const key = `${this.scope} ${use.period} ${use.limit}`;
    const before = warned.get(key);
    if (before?.ends !== use.ends || (use.reached && !before.reached)) {
      warned.set(key, { ends: use.ends, reached: use.reached });
      this.listener.warned(use);
    }
  }

  #show(): void {
    const uses = [...this.#uses.values()];
    const [nearest = null] = uses.sort(
      (a, b) => b.messages / b.limit - a.messages / a.limit || b.ends - a.ends,
    );
    const isSame =
      nearest?.period === this.#shown?.period &&
      nearest?.messages === this.#shown?.messages &&
      nearest?.ends === this.#shown?.ends;
    if (!isSame) {
      this.#shown = nearest;
      this.listener.shown(nearest);
    }
    this.#wait();
  }

  /** Forgets uses of periods that have ended. */
  #wait(): void {
    clearTimeout(this.#timer ?? undefined);
    const ends = Math.min(...[...this.#uses.values()].map((use) => use.ends));
    if (ends === Number.POSITIVE_INFINITY) {
      return;
    }
    // A timer fires a moment early at times.
    this.#timer = setTimeout(() => this.#end(), Math.min(Math.max(0, ends - this.now()), LONGEST_TIMER) + 1);
    this.#timer.unref();
  }

  #end(): void {
    const now = this.now();
    for (const { period, ends } of this.#uses.values()) {
      if (ends <= now) {
        this.#uses.delete(period);
      }
    }
    this.#show();
  }
}
