import { type ActivityMinute, barOf, type Counted, MINUTES, minuteOf } from "../../shared/activity";

type Changeable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

/** People or events of before, by their result, and the minute since the epoch; null before the last hour. */
export interface EarlierCount {
  readonly result: Counted;
  readonly minute: number | null;
  readonly count: number;
}

/** Counts people and events of an account by their result, and those of each minute of the last hour. */
export class ActivityTally {
  #counters: Partial<Record<Counted, number>> = {};
  /** Those of minutes in which something was counted, oldest first. */
  readonly #minutes: Changeable<ActivityMinute>[] = [];

  #since: number;

  /** @param since epoch ms */
  constructor(since: number) {
    this.#since = since;
  }

  get since(): number {
    return this.#since;
  }

  /** Adds what was counted before. @param since epoch ms */
  addEarlier(counts: readonly EarlierCount[], since: number): void {
    const later = this.#minutes.splice(0);
    const buckets = new Map(later.map((bucket) => [bucket.minute, bucket]));
    for (const { result, minute, count } of counts) {
      this.#counters[result] = (this.#counters[result] ?? 0) + count;
      const bar = barOf(result);
      if (bar !== null && minute !== null) {
        const bucket = buckets.get(minute) ?? { minute, accepted: 0, failed: 0, received: 0 };
        buckets.set(minute, bucket);
        bucket[bar] += count;
      }
    }
    this.#minutes.push(...[...buckets.values()].sort((a, b) => a.minute - b.minute).slice(-MINUTES));
    this.#since = since;
  }

  /** @param at epoch ms @param n people, or events */
  count(result: Counted, at: number, n = 1): void {
    this.#counters[result] = (this.#counters[result] ?? 0) + n;
    const bar = barOf(result);
    if (bar !== null) {
      this.#bucket(minuteOf(at))[bar] += n;
    }
  }

  get counters(): Partial<Record<Counted, number>> {
    return { ...this.#counters };
  }

  /** The last hour. @param now epoch ms */
  minutes(now: number): readonly ActivityMinute[] {
    const first = minuteOf(now) - MINUTES + 1;
    return this.#minutes.filter(({ minute }) => minute >= first).map((bucket) => ({ ...bucket }));
  }

  #bucket(minute: number): Changeable<ActivityMinute> {
    const newest = this.#minutes.at(-1);
    // After the clock was set back, the newest bucket counts on.
    if (newest !== undefined && newest.minute >= minute) {
      return newest;
    }
    const bucket = { minute, accepted: 0, failed: 0, received: 0 };
    this.#minutes.push(bucket);
    if (this.#minutes.length > MINUTES) {
      this.#minutes.shift();
    }
    return bucket;
  }
}
