import { inSlices } from "../../shared/async/in-slices";
import type { Outcome } from "../../shared/outcomes";
import { type Clock, SYSTEM_CLOCK } from "../../store/engine/clock";
import type { BlockedNumber } from "../../store/guards/guard-calls";
import type { OnceKeyList, OnceUse } from "../../store/guards/once-keys";
import type { Once } from "../../store/guards/request-rules";

/** Pairs of key and number of an account: about 120 MB. */
const MOST = 500_000;
/** Entries that are looked at for each new one, so that those of the past are never many. */
const SWEPT = 2;

/** The request that holds a key for all of its recipients. */
export class KeyHolder {
  /** Null while it is on its way. */
  outcome: Outcome | null = null;
  /** Epoch ms at which it left. */
  at = 0;
  /** Epoch ms until which the key is in use. */
  until = 0;

  constructor(readonly hash: string) {}
}

/** Recipients for which a key could not be taken. */
export interface KeysNotTaken {
  readonly held: readonly BlockedNumber[];
  /** Those for which the memory has no space. */
  readonly full: readonly string[];
}

const NONE: KeysNotTaken = { held: [], full: [] };

const entryOf = (key: string, number: string): string => `${key}\n${number}`;

/**
 * The once keys of an account without a store, for as long as the process runs. Their number is bounded: those of the past are removed
 * while new ones come, and a message whose key has no space is not sent, because it might be sent twice.
 */
export class MemoryOnceKeys implements OnceKeyList {
  readonly #holders = new Map<string, KeyHolder>();
  #swept: Iterator<[string, KeyHolder]> = this.#holders.entries();
  /** Epoch ms before which no entry ends, while there is no space. */
  #fullUntil = 0;

  constructor(
    private readonly clock: Clock = SYSTEM_CLOCK,
    readonly most: number = MOST,
  ) {}

  get size(): number {
    return this.#holders.size;
  }

  async find(key: string, numbers: readonly string[]): Promise<readonly OnceUse[]> {
    const now = this.clock.now();
    const found: OnceUse[] = [];
    if (this.#holders.size === 0) {
      return found;
    }
    await inSlices(numbers, (slice) => {
      for (const number of slice) {
        const holder = this.#holders.get(entryOf(key, number));
        if (holder !== undefined && holder.until > now) {
          found.push({ number, hash: holder.hash, at: holder.at, outcome: holder.outcome });
        }
      }
    });
    return found;
  }

  /**
   * Takes a key for numbers, in the order of the list. Those that the holder has stay with it.
   * @param now epoch ms
   */
  take(
    { key, within, hash }: Once,
    numbers: readonly string[],
    holder: KeyHolder,
    now: number,
  ): KeysNotTaken {
    holder.at = now;
    holder.until = now + within;
    const held: BlockedNumber[] = [];
    const full: string[] = [];
    for (const number of numbers) {
      const entry = entryOf(key, number);
      const first = this.#holders.get(entry);
      if (first !== undefined && first !== holder && first.until > now) {
        const reason = first.hash === hash ? "already-sent" : "key-reused";
        held.push({ number, reason, first: { at: first.at, outcome: first.outcome } });
      } else if (first !== undefined || this.#hasSpace(now)) {
        this.#holders.set(entry, holder);
      } else {
        full.push(number);
      }
    }
    return held.length === 0 && full.length === 0 ? NONE : { held, full };
  }

  /** Frees a key for those of the numbers for which the holder has it. */
  free({ key }: Once, numbers: readonly string[], holder: KeyHolder): void {
    for (const number of numbers) {
      const entry = entryOf(key, number);
      if (this.#holders.get(entry) === holder) {
        this.#holders.delete(entry);
        this.#fullUntil = 0;
      }
    }
  }

  #hasSpace(now: number): boolean {
    this.#sweep(now);
    if (this.#holders.size < this.most) {
      return true;
    }
    if (now < this.#fullUntil) {
      return false;
    }
    let next = Number.POSITIVE_INFINITY;
    for (const [entry, { until }] of this.#holders) {
      if (until <= now) {
        this.#holders.delete(entry);
      } else {
        next = Math.min(next, until);
      }
    }
    this.#fullUntil = next;
    return this.#holders.size < this.most;
  }

  /** Removes past ones of the next few entries, in turn. */
  #sweep(now: number): void {
    for (let looked = 0; looked < SWEPT; looked++) {
      const next = this.#swept.next();
      if (next.done) {
        this.#swept = this.#holders.entries();
        return;
      }
      const [entry, { until }] = next.value;
      if (until <= now) {
        this.#holders.delete(entry);
      }
    }
  }
}
