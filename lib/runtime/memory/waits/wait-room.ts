import { MessagingError } from "../../../shared/messaging-error";
import { say } from "../../../texts/say";

/** Recipients of an account whose ends have not left. */
const MOST = 100_000;
/** ms for which ends are kept for a node that is gone. */
const KEPT = 3_600_000;
/** ms between two looks at all that is kept, and where there is no room. */
const [SWEEP, SWEEP_CROWDED] = [60_000, 1_000];

/** Room for the recipients that an account waits for in memory. */
export class WaitRoom {
  #taken = 0;
  /** Epoch ms. */
  #sweptAt = 0;

  constructor(private readonly most = MOST) {}

  /** Recipients that have room. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes room for these, after a sweep where it is time for one.
   * @param sweep drops what nobody has asked for since that moment, in epoch ms
   * @throws MessagingError TOO_MANY_WAITS
   */
  take(recipients: number, now: number, sweep: (before: number) => void): void {
    const isCrowded = this.#taken + recipients > this.most;
    if (now - this.#sweptAt >= (isCrowded ? SWEEP_CROWDED : SWEEP)) {
      this.#sweptAt = now;
      sweep(isCrowded ? now : now - KEPT);
    }
    if (this.#taken + recipients > this.most) {
      throw new MessagingError("TOO_MANY_WAITS", say("account.TOO_MANY_WAITS", { most: this.most }));
    }
    this.#taken += recipients;
  }

  /** The end of a recipient has left. */
  giveBack(): void {
    this.#taken--;
  }
}
