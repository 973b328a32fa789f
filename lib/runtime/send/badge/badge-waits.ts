import { formatNumber } from "../../../texts/format-number";
import { say } from "../../../texts/say";
import { sayMoment } from "../../../texts/say-time";

/** Recipients beyond this number of moments count as under way. */
const MOST_MOMENTS = 1_000;

export class BadgeWaits {
  /** Number of recipients by epoch ms. */
  readonly #people = new Map<number, number>();

  /** @param until epoch ms */
  add(until: number, people: number): void {
    const others = this.#people.get(until);
    if (others !== undefined || this.#people.size < MOST_MOMENTS) {
      this.#people.set(until, (others ?? 0) + people);
    }
  }

  /** @param heldUntil epoch ms at which a used-up limit of the account ends; null for none */
  text(underWay: number, heldUntil: number | null): string | null {
    const now = Date.now();
    const ends = Math.max(heldUntil ?? 0, now);
    const moments = new Set<number>();
    let people = 0;
    for (const [until, count] of this.#people) {
      if (until <= now) {
        this.#people.delete(until);
      } else {
        people += count;
        moments.add(Math.max(until, ends));
      }
    }
    if (people === 0) {
      return null;
    }
    const first = Math.min(...moments);
    // Cancelled recipients are not subtracted from their moment.
    const waiting = Math.min(people, underWay);
    const others = underWay - waiting;
    const one = waiting === 1 ? "badges.status.waitsUntil" : "badges.status.waitUntil";
    const text = say(moments.size > 1 ? "badges.status.waitFrom" : one, {
      n: formatNumber(waiting),
      time: sayMoment(first, now),
    });
    return others === 0 ? text : `${say("badges.status.underWay", { n: formatNumber(others) })} · ${text}`;
  }
}
