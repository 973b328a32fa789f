import { inSlices } from "../../shared/async/in-slices";
import type { ContactList } from "../../store/events/contacts";
import type { ReplyChannel } from "../../store/waits/wait";
import { ExpiringCounts } from "../../webhook/expiring-counts";

/** People of an account: about 25 MB. */
const MOST = 100_000;
/** ms: an hour more than the longest window in which a service lets people be answered freely. */
const AGE = 25 * 3_600_000;

const entryOf = (channel: ReplyChannel, application: string, number: string): string =>
  `${channel}\n${application.trim().toLowerCase()}\n${number}`;

/** When people last wrote to an account without a store: the latest of them, as long as the process runs. */
export class MemoryContacts implements ContactList {
  readonly #times: ExpiringCounts;

  constructor(
    private readonly now: () => number = Date.now,
    most: number = MOST,
  ) {
    this.#times = new ExpiringCounts(AGE, most, now);
  }

  /**
   * Somebody writes now.
   * @param application that is written to, in any case; blank for SMS
   * @param number digits
   */
  note(channel: ReplyChannel, application: string, number: string): void {
    this.#times.set(entryOf(channel, application, number), 1);
  }

  /** Of the last 25 hours. */
  async lastInbound(
    channel: ReplyChannel,
    application: string,
    numbers: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const last = new Map<string, number>();
    await inSlices(numbers, (slice) => {
      for (const number of slice) {
        const at = this.#times.timeOf(entryOf(channel, application, number));
        if (at !== null) {
          // The clock may have been set back since.
          last.set(number, Math.min(at, this.now()));
        }
      }
    });
    return last;
  }
}
