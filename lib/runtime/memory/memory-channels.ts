import { MESSAGE_CHANNELS, type MessageChannel } from "../../shared/message-channel";
import { ExpiringCounts } from "../../webhook/expiring-counts";

/** Ids of requests, two for each, and the ms for which they are known: about as long as networks try to deliver. */
const MOST = 100_000;
const AGE = 72 * 3_600_000;

const nameOf = (channel: MessageChannel, id: string): string => `${channel}\n${id}`;

/**
 * By which channel the requests of an account without a store were sent: a status message does not tell it. Nothing is noted until
 * somebody wants to know it.
 */
export class MemoryChannels {
  readonly #ids: ExpiringCounts;
  #isFollowed = false;

  constructor(now: () => number = Date.now, most: number = MOST) {
    this.#ids = new ExpiringCounts(AGE, most, now);
  }

  /** Notes requests from now on. */
  follow(): void {
    this.#isFollowed = true;
  }

  /**
   * A request leaves, or got its answer.
   * @param channel null for one that sends to nobody
   * @param id client message id or transfer id; null where it has none
   */
  note(channel: MessageChannel | null, id: string | null): void {
    if (this.#isFollowed && channel !== null && id !== null && id !== "") {
      this.#ids.set(nameOf(channel, id), 1);
    }
  }

  /** @returns the channel of the request with one of these ids; null where it is not known */
  channelOf(ids: readonly (string | null)[]): MessageChannel | null {
    for (const id of ids) {
      const found = id !== null && MESSAGE_CHANNELS.find((channel) => this.#ids.has(nameOf(channel, id)));
      if (found) {
        return found;
      }
    }
    return null;
  }
}
