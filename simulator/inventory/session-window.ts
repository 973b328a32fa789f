import type { Clock } from "../util/clock";
import { digits, isMsisdn } from "../util/formats";

const DAY = 86_400_000;
const MAX_NUMBERS = 10_000;
/** Numbers for examples, scripted recipients and faulty recipients. */
const ALWAYS_OPEN = /^(99955|9990)/;

export interface WindowSession {
  readonly recipient: string;
  readonly openUntil: number;
}

/** The session windows of one account: WhatsApp text reaches a number only within 24 hours after it wrote. */
export class SessionWindow {
  readonly #lastInbound = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  open(number: string): WindowSession {
    if (typeof number !== "string" || !isMsisdn(number)) {
      throw new TypeError("recipient: must be an international number");
    }
    const recipient = digits(number);
    const now = this.clock.now();
    this.#lastInbound.delete(recipient);
    this.#lastInbound.set(recipient, now);
    const [oldest = ""] = this.#lastInbound.keys();
    if (this.#lastInbound.size > MAX_NUMBERS) this.#lastInbound.delete(oldest);
    return { recipient, openUntil: now + DAY };
  }

  isOpen(number: string): boolean {
    const recipient = digits(number);
    if (ALWAYS_OPEN.test(recipient)) return true;
    const last = this.#lastInbound.get(recipient);
    return last !== undefined && this.clock.now() <= last + DAY;
  }

  list(): WindowSession[] {
    return [...this.#lastInbound.keys()]
      .filter((recipient) => this.isOpen(recipient))
      .map((recipient) => ({ recipient, openUntil: (this.#lastInbound.get(recipient) ?? 0) + DAY }));
  }

  clear(): void {
    this.#lastInbound.clear();
  }
}
