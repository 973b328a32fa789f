import { type ActivityMinute, barOf, type Counted, MINUTES, minuteOf } from "../../shared/activity";

type Changeable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

/** Counts people and events of an account by their result, and those of each minute of the last hour. */
export class ActivityTally {
  #counters: Partial<Record<Counted, number>> = {};
  /** Those of minutes in which something was counted, oldest first. */
  readonly #minutes: Changeable<ActivityMinute>[] = [];

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
