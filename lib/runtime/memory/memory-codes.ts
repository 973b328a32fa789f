import {
  type CodePlace,
  type CodeStore,
  type CodeTry,
  type Counted,
  counterAt,
  HOUR,
  type NewCode,
} from "../../store/codes";
import { type Clock, SYSTEM_CLOCK } from "../../store/engine/clock";
import { RecentCounts } from "./recent-counts";

/** Codes of an account: about 40 MB. */
const MOST_CODES = 100_000;
/** Callers of an account that are counted, and numbers: about 30 MB each. */
const MOST_COUNTED = 100_000;

interface KeptCode {
  readonly hash: string;
  /** Epoch ms. */
  readonly until: number;
  triesLeft: number;
}

const placeOf = ({ purpose, number }: CodePlace): string => `${number} ${purpose}`;

/**
 * The one-time codes of an account without a store: they last as long as the process. Their number is bounded: where there are too many, the
 * code that was made first goes. Callers and numbers are counted apart, so that who comes by many addresses makes no number forgotten.
 */
export class MemoryCodes implements CodeStore {
  /** By place, those that were made first in front. */
  readonly #codes = new Map<string, KeptCode>();
  readonly #counts: Readonly<Record<Counted["what"], RecentCounts>>;

  constructor(
    readonly account: string,
    private readonly clock: Clock = SYSTEM_CLOCK,
    private readonly mostCodes = MOST_CODES,
    mostCounted = MOST_COUNTED,
  ) {
    this.#counts = { caller: new RecentCounts(mostCounted), number: new RecentCounts(mostCounted) };
  }

  get size(): number {
    return this.#codes.size + this.#counts.caller.size + this.#counts.number.size;
  }

  async count(counted: readonly Counted[]): Promise<boolean> {
    const counter = counterAt(this.clock.now());
    for (const counts of Object.values(this.#counts)) {
      counts.expire(counter);
    }
    // Each of them is asked about: who is refused goes on being known.
    const free = counted.filter(({ what, who, most }) => this.#counts[what].sum(who, counter) < most);
    const mayPass = free.length === counted.length;
    if (mayPass) {
      for (const { what, who } of counted) {
        this.#counts[what].add(who, counter);
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
}
