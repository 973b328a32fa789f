import type { OptOutList } from "../../store/guards/opt-outs";
import { ExpiringCounts } from "../../webhook/expiring-counts";
import type { Entered, EventBook, LedgerEntry } from "../../webhook/event-ledger";
import { SpareNames } from "../store/spare-names";

/** Stop words and start words that are remembered, and for how many ms: a service redelivers sooner than that. */
const MOST = 10_000;
const AGE = 48 * 3_600_000;

/** What a webhook has changed in a list. */
interface Written {
  /** Keys of events. */
  readonly keys: ExpiringCounts;
  /** Events without an id that were sent back: the next equal one is the redelivery. */
  readonly sentBack: SpareNames;
}

/** By name of the webhook. It lasts as long as the list, over deploys. */
const writtenBy = new Map<string, Written>();

/** Writes opt-outs of inbound messages into the list of an account without a store, each event once whatever number of copies comes. */
export class MemoryOptOutBook implements EventBook {
  readonly hasRoom = true;
  readonly #written: Written;

  /** @param receiver name of the webhook */
  constructor(
    receiver: string,
    private readonly list: () => Promise<OptOutList>,
  ) {
    this.#written = writtenBy.get(receiver) ?? {
      keys: new ExpiringCounts(AGE, MOST, Date.now),
      sentBack: new SpareNames(),
    };
    writtenBy.set(receiver, this.#written);
  }

  async enter({ key, unique, optOut }: LedgerEntry): Promise<Entered> {
    const { keys, sentBack } = this.#written;
    const isCopy = unique ? keys.has(key) : sentBack.take(key) !== undefined;
    if (optOut !== null && !isCopy) {
      const list = await this.list();
      if (optOut.change === "stop") {
        await list.add([optOut.number], optOut.scope, "inbound");
      } else {
        await list.remove([optOut.number]);
      }
      if (unique) {
        keys.set(key, 1);
      }
    }
    return {
      duplicate: false,
      seen: false,
      elsewhere: false,
      message: null,
      sentBack: () => {
        if (!unique) {
          sentBack.give(key, "");
        }
      },
    };
  }
}
