import type { LastResults } from "../activity/last-results";
import type { Present } from "../../store/history/present";
import type { LastOfStore } from "./last-of-all";

/** ms for which what was read of the store is as good as new. */
const AS_NEW = 1_000;
/** What took long to count is as good as new for so many times as long: whoever looks all the time takes a twentieth of a reader. */
const TIMES = 20;
/** Requests above which one second more or less does not matter to their counts. */
const MANY = 10_000;

/** A value with the epoch ms at which it was read. */
interface Read<Value> {
  readonly at: number;
  /** ms for which it is as good as new. */
  readonly asNew: number;
  readonly value: Value;
}

/**
 * What was read of the store for the last state of an account: somebody who asks a thousand times a minute does not have it read each time. What this process knows by
 * itself is always asked for anew.
 */
export class RecentLooks {
  static readonly #all = new WeakMap<LastResults, RecentLooks>();
  #last: Read<LastOfStore> | null = null;
  #present: Read<Present> | null = null;

  /** Those of an account, as long as what is known of its results. */
  static of(here: LastResults): RecentLooks {
    const known = RecentLooks.#all.get(here) ?? new RecentLooks();
    RecentLooks.#all.set(here, known);
    return known;
  }

  /** @param read reads it; called where it is not known, or old */
  async last(now: number, read: () => Promise<LastOfStore>): Promise<LastOfStore> {
    if (this.#last === null || isOld(this.#last, now)) {
      this.#last = { at: now, asNew: AS_NEW, value: await read() };
    }
    return this.#last.value;
  }

  /** The same, which is remembered only where counting it takes a while. @param elapsed ms since any moment */
  async present(
    now: number,
    read: () => Promise<Present>,
    elapsed: () => number = () => performance.now(),
  ): Promise<Present> {
    if (this.#present !== null && !isOld(this.#present, now)) {
      return this.#present.value;
    }
    const begun = elapsed();
    const value = await read();
    const asNew = Math.max(AS_NEW, TIMES * (elapsed() - begun));
    this.#present = value.ready + value.waiting > MANY ? { at: now, asNew, value } : null;
    return value;
  }
}

const isOld = ({ at, asNew }: Read<unknown>, now: number): boolean => now < at || now >= at + asNew;
