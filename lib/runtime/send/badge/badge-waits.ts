import { formatNumber } from "../../../texts/format-number";
import { say } from "../../../texts/say";
import { sayMoment } from "../../../texts/say-time";

/** Moments until which people wait that are counted. Who waits for others counts as under way. */
const MOST_MOMENTS = 1_000;

/** Until when people wait. */
export class BadgeWaits {
  /** How many, by epoch ms until when. */
  readonly #people = new Map<number, number>();

  /** @param until epoch ms */
  add(until: number, people: number): void {
    const others = this.#people.get(until);
    if (others !== undefined || this.#people.size < MOST_MOMENTS) {
      this.#people.set(until, (others ?? 0) + people);
    }
  }

  /**
   * Until when those wait who do, after those who do not; null where nobody waits.
   * @param heldUntil epoch ms at which a used-up limit of the account ends, for which they wait too; null for none
   */
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
    // Of those who were cancelled it is not known until when they would have waited.
    const waiting = Math.min(people, underWay);
    // Who else waits is not known: some are on their way.
    const others = underWay - waiting;
    const one = waiting === 1 ? "badges.status.waitsUntil" : "badges.status.waitUntil";
    const text = say(moments.size > 1 ? "badges.status.waitFrom" : one, {
      n: formatNumber(waiting),
      time: sayMoment(first, now),
    });
    return others === 0 ? text : `${say("badges.status.underWay", { n: formatNumber(others) })} · ${text}`;
  }
}
