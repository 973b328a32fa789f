import type { Clock } from "../util/clock";
import { isMsisdn } from "../util/formats";
import { putBounded } from "../util/put-bounded";

const DAY = 86_400_000;
const MOST_NUMBERS = 10_000;
/** Made-up people for examples, and the magic numbers. */
const ALWAYS_OPEN = /^(99955|9990)/;

/** A recipient whom free text reaches. */
export interface WindowSession {
  /** Digits without plus. */
  readonly recipient: string;
  /** Milliseconds since the epoch; text is accepted up to and including this moment. */
  readonly openUntil: number;
}

/** Who has written to the account lately: only they can be sent free text, for 24 hours. */
export class SessionWindow {
  readonly #clock: Clock;
  readonly #lastInbound = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** As if this number had written just now. Throws a TypeError for a number that can't be one. */
  open(number: string): WindowSession {
    if (typeof number !== "string" || !isMsisdn(number)) {
      throw new TypeError("recipient: must be an international number");
    }
    const recipient = digits(number);
    const now = this.#clock.now();
    putBounded(this.#lastInbound, recipient, now, MOST_NUMBERS);
    return { recipient, openUntil: now + DAY };
  }

  isOpen(number: string): boolean {
    const recipient = digits(number);
    if (ALWAYS_OPEN.test(recipient)) return true;
    const last = this.#lastInbound.get(recipient);
    return last !== undefined && this.#clock.now() <= last + DAY;
  }

  /** Open ones, oldest first, without those that are always open. */
  list(): WindowSession[] {
    return [...this.#lastInbound.keys()]
      .filter((recipient) => this.isOpen(recipient))
      .map((recipient) => ({ recipient, openUntil: (this.#lastInbound.get(recipient) ?? 0) + DAY }));
  }

  clear(): void {
    this.#lastInbound.clear();
  }
}

function digits(number: string): string {
  return number.replace(/^\+/, "");
}
