import type { MessageChannel } from "../../shared/message-channel";
import type { OptOutChange } from "../../shared/opt-outs/opt-out-change";
import type { Entered, EventBook, LedgerEntry } from "../../webhook/event-ledger";
import { SHORT_MEMORY } from "../../webhook/duplicate-memory";
import { ExpiringCounts } from "../../webhook/expiring-counts";
import type { Account } from "../account/account";
import type { MemoryChannels } from "../guards/memory/memory-channels";
import { MemoryGuards } from "../guards/memory/memory-guards";
import { eventText } from "../store/event-text";
import { newEvent } from "../store/new-event";
import { SpareNames } from "../store/spare-names";
import { MemoryContacts } from "../waits/memory/memory-contacts";
import { MemoryWaits } from "../waits/memory/memory-waits";

/** Events of each kind whose keys are remembered, and for how many ms: a service redelivers inbound messages sooner than that. */
const MOST = 10_000;
const AGE = 48 * 3_600_000;

/** Keys of the events that an account knows, by what a copy would do, so that many of one kind do not push out another. */
class KnownKeys {
  readonly optOuts = new ExpiringCounts(AGE, MOST, Date.now);
  readonly inbounds = new ExpiringCounts(AGE, MOST, Date.now);
  /** A status says no more when it comes again. */
  readonly statuses = new ExpiringCounts(SHORT_MEMORY, MOST, Date.now);

  of({ kind, optOut }: LedgerEntry): ExpiringCounts {
    if (optOut !== null) {
      return this.optOuts;
    }
    return kind === "inbound" ? this.inbounds : this.statuses;
  }
}

/** By account, and by name of the webhook. They last as long as what the events have changed, over deploys. */
const keysByAccount = new Map<string, KnownKeys>();
const sentBackByReceiver = new Map<string, SpareNames>();

function lasting<Kept>(map: Map<string, Kept>, key: string, make: () => Kept): Kept {
  const kept = map.get(key) ?? make();
  map.set(key, kept);
  return kept;
}

/**
 * Brings the events of a webhook to what an account without a store remembers: opt-outs, when people last wrote, and messages that wait.
 * Each event once, whatever number of copies comes.
 */
export class MemoryEventBook implements EventBook {
  readonly hasRoom = true;
  readonly #keys: KnownKeys;
  /** Events without an id that were sent back: the next equal one is the redelivery. */
  readonly #sentBack: SpareNames;
  readonly #contacts: MemoryContacts;
  readonly #waits: MemoryWaits;
  readonly #channels: MemoryChannels;

  /**
   * @param receiver name of the webhook
   * @param needsChannels whether to find out the channel of each status: what is sent from now on is remembered for that
   */
  constructor(
    receiver: string,
    private readonly account: Pick<Account, "id" | "optOuts">,
    needsChannels = false,
  ) {
    this.#channels = MemoryGuards.of(account.id).channels;
    if (needsChannels) {
      this.#channels.follow();
    }
    this.#keys = lasting(keysByAccount, account.id, () => new KnownKeys());
    this.#sentBack = lasting(sentBackByReceiver, receiver, () => new SpareNames());
    this.#contacts = MemoryContacts.of(account.id);
    this.#waits = MemoryWaits.of(account.id);
  }

  async enter(entry: LedgerEntry): Promise<Entered> {
    const { key, unique } = entry;
    if (unique) {
      await this.#enterUnique(entry);
    } else if (this.#sentBack.take(key) === undefined) {
      await this.#write(entry);
    }
    return {
      duplicate: false,
      seen: false,
      elsewhere: false,
      message: null,
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
    return this.#channels.channelOf([eventText(transferId), eventText(clientMessageId)]);
  }

  async #enterUnique(entry: LedgerEntry): Promise<void> {
    const keys = this.#keys.of(entry);
    if (keys.has(entry.key)) {
      return;
    }
    keys.set(entry.key, 1);
    try {
      await this.#write(entry);
    } catch (error) {
      keys.take(entry.key);
      throw error;
    }
  }

  async #write(entry: LedgerEntry): Promise<void> {
    const { key, optOut } = entry;
    if (optOut !== null) {
      await this.#change(optOut);
    }
    const event = newEvent(entry, key, false);
    if (event === null) {
      return;
    }
    const { reply } = event;
    if (reply !== null && event.number !== null) {
      this.#contacts.note(reply.channel, reply.application, event.number);
    }
    this.#waits.hear(event);
  }

  async #change(optOut: OptOutChange): Promise<void> {
    const list = await this.account.optOuts();
    if (optOut.change === "stop") {
      await list.add([optOut.number], optOut.scope, "inbound");
    } else {
      await list.remove([optOut.number]);
    }
  }
}
