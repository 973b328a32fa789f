import {
  type CodePlace,
  type CodeStore,
  type CodeTry,
  type Counted,
  counterAt,
  HOUR,
  type NewCode,
} from "../../../store/codes";
import { type Clock, SYSTEM_CLOCK } from "../../../store/engine/clock";

/** Codes of an account: about 40 MB. */
const MOST_CODES = 100_000;
/** Counters of an account, of all ten minutes of an hour together: about 60 MB. */
const MOST_COUNTERS = 300_000;

interface KeptCode {
  readonly hash: string;
  /** Epoch ms. */
  readonly until: number;
  triesLeft: number;
}

const kept = new Map<string, MemoryCodes>();

const placeOf = ({ purpose, number }: CodePlace): string => `${number} ${purpose}`;
const counterOf = ({ what, who }: Counted): string => `${what} ${who}`;

/**
 * The one-time codes of an account without a store: they last as long as the process. Their number is bounded: where there are too many, the
 * code that was made first goes, and who has no counter yet may do nothing until there is space.
 */
export class MemoryCodes implements CodeStore {
  /** By place, those that were made first in front. */
  readonly #codes = new Map<string, KeptCode>();
  /** Actions by the time at which their counter began. */
  readonly #counters = new Map<number, Map<string, number>>();

  constructor(
    readonly account: string,
    private readonly clock: Clock = SYSTEM_CLOCK,
    private readonly mostCodes = MOST_CODES,
    private readonly mostCounters = MOST_COUNTERS,
  ) {}

  /** The codes of an account, the same ones after a deploy. */
  static of(account: string): MemoryCodes {
    const codes = kept.get(account) ?? new MemoryCodes(account);
    kept.set(account, codes);
    return codes;
  }

  /** Codes and counters in memory. */
  get size(): number {
    return this.#codes.size + this.#counterCount;
  }

  get #counterCount(): number {
    return [...this.#counters.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async count(counted: readonly Counted[]): Promise<boolean> {
    const now = counterAt(this.clock.now());
    for (const starts of this.#counters.keys()) {
      if (starts < now - HOUR) {
        this.#counters.delete(starts);
      }
    }
    const current = this.#counters.get(now) ?? new Map<string, number>();
    this.#counters.set(now, current);
    const isFull = this.#counterCount + counted.length > this.mostCounters;
    const mayPass = counted.every(
      (each) => this.#sum(each) < each.most && (!isFull || current.has(counterOf(each))),
    );
    if (mayPass) {
      for (const each of counted) {
        const key = counterOf(each);
        current.set(key, (current.get(key) ?? 0) + 1);
      }
    }
    return mayPass;
  }

  async put(code: NewCode): Promise<number> {
    const now = this.clock.now();
    const until = now + code.validFor;
    const place = placeOf(code);
    // It goes to the end.
    this.#codes.delete(place);
    for (const [first, { until: ended }] of this.#codes) {
      if (ended > now - HOUR && this.#codes.size < this.mostCodes) {
        break;
      }
      this.#codes.delete(first);
    }
    this.#codes.set(place, { hash: code.hash, until, triesLeft: code.most });
    return until;
  }

  async try(place: CodePlace): Promise<CodeTry> {
    const code = this.#codes.get(placeOf(place));
    if (code === undefined) {
      return { state: "none" };
    }
    if (code.until <= this.clock.now()) {
      return { state: "expired" };
    }
    if (code.triesLeft <= 0) {
      return { state: "too-many" };
    }
    code.triesLeft--;
    return { state: "valid", hash: code.hash, triesLeft: code.triesLeft };
  }

  async use(place: CodePlace, hash: string): Promise<boolean> {
    const key = placeOf(place);
    const code = this.#codes.get(key);
    return (
      code !== undefined && code.hash === hash && code.until > this.clock.now() && this.#codes.delete(key)
    );
  }

  /** Actions of the last hour. */
  #sum(counted: Counted): number {
    const key = counterOf(counted);
    let sum = 0;
    for (const counts of this.#counters.values()) {
      sum += counts.get(key) ?? 0;
    }
    return sum;
  }
}
