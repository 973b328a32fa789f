import { StoreError } from "../../../store/engine/store-error";
import { MessageAcceptance } from "./message-acceptance";
import type { Outbox } from "./outbox";
import type { OutboxAccount } from "./outbox-account";
import { OutboxRecovery } from "./outbox-recovery";
import { SessionStore } from "./session-store";
import { StoreTrouble } from "./store-trouble";
import type { ResultNode } from "./stored-message";

/** `open`: accepts and sends. `closing`: entered by `close`, final; starts nothing, waits for responses. */
type OutboxSessionMode = "open" | "closing";

/** Connects one config node with the outbox of its account. It holds the settings of one deploy. */
export class OutboxSession {
  #mode: OutboxSessionMode = "open";
  readonly acceptance: MessageAcceptance;
  readonly #store: SessionStore;
  readonly #recovery: OutboxRecovery;
  readonly #trouble: StoreTrouble;
  readonly #detach: () => void;
  readonly #stopWatching: () => void;

  constructor(
    private readonly outbox: Outbox,
    readonly account: OutboxAccount,
  ) {
    const { messages, nodes } = outbox;
    const trouble = new StoreTrouble(account.warn, () => (this.#mode === "open" ? nodes.values() : []));
    this.#trouble = trouble;
    this.#store = new SessionStore(outbox, account, trouble, {
      late: () => this.#recovery.rescan(),
      over: () => this.#openAnew(),
      died: () => this.#recovery.sync(),
      settledElsewhere: () => this.#recovery.collect(),
    });
    const isRunning = (): boolean => this.#mode === "open" && account.lifecycle.running;
    this.#recovery = new OutboxRecovery(outbox, account, this.#store, trouble, isRunning);
    this.acceptance = new MessageAcceptance({
      messages,
      destination: account.destination,
      store: this.#store,
      failed: (error) => this.#failed(error),
      worked: () => trouble.worked(),
    });
    this.#detach = outbox.attach(this);
    this.#stopWatching = account.lifecycle.onStarted(() => this.#recovery.sync());
  }

  /** @param reading messages that are about to be accepted */
  isFull(reading = 0): boolean {
    const { queueLimit, concurrency } = this.account.dispatcher;
    return this.outbox.messages.size + this.acceptance.unread + reading >= queueLimit + concurrency;
  }

  /** Earlier results are emitted as soon as flows run. @returns detaches the node */
  attach(id: string, node: ResultNode): () => void {
    const detach = this.outbox.attachNode(id, node);
    if (this.account.lifecycle.running) {
      this.#recovery.sync();
    }
    return detach;
  }

  /** Sends stored messages even if none of their nodes runs. */
  run(): void {
    this.#recovery.run();
  }

  #failed(error: unknown): void {
    if (error instanceof StoreError && this.#mode === "open") {
      this.#trouble.note(error);
      // The queue checks an opened store, the recovery one that cannot be opened.
      this.#store.opened?.queue.noteFault(error);
    }
  }

  #openAnew(): void {
    if (this.#mode === "open" && this.#store.renew()) {
      this.#recovery.begin();
    }
  }

  /** Unsent requests stay in the store. @param grace ms to wait for responses */
  async close(grace: number): Promise<void> {
    this.#mode = "closing";
    this.#stopWatching();
    this.#store.stop();
    this.#recovery.stop();
    this.acceptance.stop();
    await Promise.allSettled([this.acceptance.settled(), this.#recovery.settled(), this.#store.settled()]);
    await this.#store.close(grace).finally(this.#detach);
  }
}
