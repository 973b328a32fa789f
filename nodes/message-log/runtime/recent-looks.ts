import type { LastResults } from "../../../lib/runtime/results/last-results";
import type { Present } from "../../../lib/store/history/present";
import type { LastOfStore } from "./last-of-all";

const AS_NEW = 1_000;
/** A slow count stays valid for this multiple of its duration, so that polling takes at most a twentieth of a reader. */
const TIMES = 20;
/** Above this number of requests, a delay of one second does not matter. */
const MANY = 10_000;

interface Read<Value> {
  readonly at: number;
  readonly asNew: number;
  readonly value: Value;
}

/** Caches reads of the store for the state of an account, because flows may request it very often. */
export class RecentLooks {
  static readonly #all = new WeakMap<LastResults, RecentLooks>();
  #last: Read<LastOfStore> | null = null;
  #present: Read<Present> | null = null;

  static of(here: LastResults): RecentLooks {
    const known = RecentLooks.#all.get(here) ?? new RecentLooks();
    RecentLooks.#all.set(here, known);
    return known;
  }

  /** Calls `read` if the value is unknown or outdated. */
  async last(now: number, read: () => Promise<LastOfStore>): Promise<LastOfStore> {
    if (this.#last === null || isOld(this.#last, now)) {
      this.#last = { at: now, asNew: AS_NEW, value: await read() };
    }
    return this.#last.value;
  }

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
