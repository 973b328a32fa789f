import type { Node } from "node-red";
import { DuplicateMemory, type MemoryLimits } from "../../webhook/duplicate-memory";
import type { EventLedger } from "../../webhook/event-ledger";
import type { Account } from "../account/account";
import { openMemoryStore } from "../store/open-store";
import { StoreLedger } from "../store/store-ledger";
import { identityOf } from "../node-red/node-identity";
import type { CachedWebhook } from "./redeploy-cache";

/** Where a webhook-in node keeps its events: in the store of its account, or without an account in the memory of the process. */
export class EventMemory {
  readonly memory: DuplicateMemory;
  readonly #ledger: StoreLedger;

  /** @param failed receives each failure to keep events; null when that works again */
  constructor(
    node: Node,
    limits: MemoryLimits,
    account: Account | null,
    failed: (error: Error | null) => void,
  ) {
    this.memory = new DuplicateMemory(limits);
    this.#ledger = new StoreLedger({
      receiver: identityOf(node),
      limits,
      memory: this.memory,
      open: () => account?.store() ?? openMemoryStore(),
      failed,
    });
  }

  get ledger(): EventLedger {
    return this.#ledger;
  }

  /** Opens the store. Events do not wait for it. @param cached state of the node's predecessor */
  open(cached: CachedWebhook | null): void {
    this.memory.restore(cached?.memory);
    void this.#ledger.open();
  }

  /** Writes what is left, then stops. */
  close(): Promise<void> {
    return this.#ledger.close();
  }
}
