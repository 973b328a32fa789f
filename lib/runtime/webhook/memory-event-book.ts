import type { MessageChannel } from "../../shared/message-channel";
import type { LedgerEntry } from "../../webhook/event-ledger";
import type { EventBook } from "../../webhook/memory-ledger";
import type { SpareNames } from "../../webhook/spare-names";
import { AccountMemory } from "../memory/account-memory";
import { eventText } from "../store/event-fields";
import { newEvent } from "../store/new-event";

/** Brings the events of a webhook to what an account without a store remembers, each event once, whatever number of copies comes. */
export class MemoryEventBook implements EventBook {
  readonly #memory: AccountMemory;
  /** Events without an id that were sent back: the next equal one is the redelivery. */
  readonly #sentBack: SpareNames;

  /**
   * @param receiver name of the webhook
   * @param needsChannels whether to find out the channel of each status: what is sent from now on is remembered for that
   */
  constructor(receiver: string, account: string, needsChannels = false) {
    this.#memory = AccountMemory.of(account);
    this.#sentBack = this.#memory.events.sentBack(receiver);
    if (needsChannels) {
      this.#memory.channels.follow();
    }
  }

  enter(entry: LedgerEntry): ReturnType<EventBook["enter"]> {
    const { key, unique } = entry;
    const event = unique || this.#sentBack.take(key) === undefined ? newEvent(entry, key, false) : null;
    if (event !== null) {
      this.#memory.note(event, unique);
    }
    return {
      channel: this.#channelOf(entry),
      sentBack: () => {
        if (!unique) {
          this.#sentBack.give(key, "");
        }
      },
    };
  }

  #channelOf({ kind, payload }: LedgerEntry): MessageChannel | null {
    if (kind !== "status" && kind !== "report") {
      return null;
    }
    const { transferId, clientMessageId } = payload as Readonly<Record<string, unknown>>;
    return this.#memory.channels.channelOf([eventText(transferId), eventText(clientMessageId)]);
  }
}
