import type { Node } from "node-red";
import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import { DuplicateMemory } from "../../webhook/duplicate-memory";
import type { EventLedger } from "../../webhook/event-ledger";
import { MemoryLedger } from "../../webhook/memory-ledger";
import type { Account } from "../account/account";
import type { AccountStore } from "../store/open-store";
import { StoreLedger } from "../store/store-ledger";
import { DuplicateStore } from "./duplicate-store";
import { MemoryEventBook } from "./memory-event-book";
import { identityOf } from "../node-red/node-identity";
import type { CachedWebhook } from "./redeploy-cache";
import type { WebhookSettings } from "./webhook-settings";

/** What fails to keep events: a context store of Node-RED, or the store of the account. */
export type KeepingFault = "storeFails" | "ledgerFails";

/** Where a webhook-in node keeps its events: in the store of its account, or their keys in a context store. */
export class EventMemory {
  readonly memory: DuplicateMemory;
  readonly ledger: EventLedger;
  /** The same where it is in a store; null otherwise. */
  readonly #stored: StoreLedger | null = null;
  readonly #context: DuplicateStore | null;

  /** @param failed receives each failure to keep events; null when that works again */
  constructor(
    node: Node,
    { memory: limits, store, receiver }: WebhookSettings,
    account: Account | null,
    failed: (fault: KeepingFault, error: Error | null) => void,
  ) {
    this.memory = new DuplicateMemory(limits);
    const { memory } = this;
    if (account?.keepsMessages) {
      this.#context = null;
      this.#stored = new StoreLedger({
        receiver: identityOf(node),
        limits,
        memory,
        open: () => storeOf(account),
        failed: (error) => failed("ledgerFails", error),
      });
      this.ledger = this.#stored;
    } else {
      const needsChannels = receiver.channel !== null;
      const book = account && new MemoryEventBook(identityOf(node), account.id, needsChannels);
      this.ledger = new MemoryLedger(memory, book ?? undefined);
      this.#context = new DuplicateStore(node, store, memory, (error) => failed("storeFails", error));
    }
  }

  /**
   * Reads what is known from before. Never rejects. An account's store is asked for each event, so nothing waits for it.
   * @param cached state of the node's predecessor
   */
  async open(cached: CachedWebhook | null): Promise<void> {
    this.memory.restore(cached?.memory);
    if (this.#stored !== null) {
      void this.#stored.open();
      return;
    }
    await cached?.written;
    await this.#context?.open(cached !== null);
  }

  /** Ends at once, because another node continues. @returns the write to the context store that is under way */
  stop(): Promise<void> | null {
    void this.#stored?.close();
    return this.#context?.stop() ?? null;
  }

  /** Writes what is left, then stops. */
  async close(): Promise<void> {
    await this.#stored?.close();
    await this.#context?.close();
  }
}

async function storeOf(account: Account): Promise<AccountStore> {
  const store = await account.store();
  if (store === null) {
    throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
  }
  return store;
}
