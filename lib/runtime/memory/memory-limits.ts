import type { BlockedNumber } from "../../store/guards/guard-calls";
import { type ClaimLimits, limitReached, type Spent } from "../../store/guards/limits";

/** Billed messages of one hour or day. */
class PeriodCounts {
  total = 0;
  /** By number, where there is a limit of messages to one number. */
  readonly numbers = new Map<string, number>();

  constructor(readonly starts: number) {}

  remove(numbers: readonly string[], cost: number, single: boolean): void {
    this.total -= numbers.length * cost;
    if (single) {
      for (const number of numbers) {
        const count = (this.numbers.get(number) ?? 0) - cost;
        if (count > 0) {
          this.numbers.set(number, count);
        } else {
          this.numbers.delete(number);
        }
      }
    }
  }
}

/** What a request has reserved. */
export interface Reserved {
  readonly hour: PeriodCounts;
  readonly day: PeriodCounts;
  /** Digits. */
  readonly numbers: readonly string[];
  /** Billed messages for each. */
  readonly cost: number;
  readonly single: boolean;
}

/** What could be reserved for a request. */
export interface Reservation {
  readonly reserved: Reserved;
  /** The recipients that a limit holds back. */
  readonly held: readonly BlockedNumber[];
}

/** What has left of an account without a store in this hour and this day; counts of earlier ones are forgotten as the next begin. */
export class MemoryLimits {
  #hour = new PeriodCounts(0);
  #day = new PeriodCounts(0);

  /** Billed messages of the account in this hour and day. */
  get spent(): Spent {
    return { hour: this.#hour.total, day: this.#day.total };
  }

  /** The same in an hour and a day that begin at these epoch ms, which may be later ones. */
  spentAt(hourStarts: number, dayStarts: number): Spent {
    return {
      hour: this.#hour.starts === hourStarts ? this.#hour.total : 0,
      day: this.#day.starts === dayStarts ? this.#day.total : 0,
    };
  }

  /** Reserves for as many numbers as the limits have left, in their order. @param cost billed messages for each number */
  reserve(numbers: readonly string[], cost: number, limits: ClaimLimits): Reservation {
    this.#hour = periodAt(this.#hour, limits.hourStarts);
    this.#day = periodAt(this.#day, limits.dayStarts);
    const hour = this.#hour;
    const day = this.#day;
    const single = limits.numberHour !== null || limits.numberDay !== null;
    const passing: string[] = [];
    const held: BlockedNumber[] = [];
    for (const number of numbers) {
      const ofDay = single ? (day.numbers.get(number) ?? 0) : 0;
      const ofHour = single ? (hour.numbers.get(number) ?? 0) : 0;
      const soFar = { hour: hour.total, day: day.total, numberHour: ofHour, numberDay: ofDay };
      const limit = limitReached(limits, cost, soFar);
      if (limit !== null) {
        held.push({ number, reason: "limit", limit });
        continue;
      }
      passing.push(number);
      day.total += cost;
      hour.total += cost;
      // What costs nothing is not counted.
      if (single && cost > 0) {
        day.numbers.set(number, ofDay + cost);
        hour.numbers.set(number, ofHour + cost);
      }
    }
    return { reserved: { hour, day, numbers: passing, cost, single }, held };
  }

  /** Nothing of this was sent. */
  giveBack({ hour, day, numbers, cost, single }: Reserved): void {
    hour.remove(numbers, cost, single);
    day.remove(numbers, cost, single);
  }
}

const periodAt = (counts: PeriodCounts, starts: number): PeriodCounts =>
  counts.starts === starts ? counts : new PeriodCounts(starts);
