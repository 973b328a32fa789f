import type { PreparedRequest } from "../../../gateway/codec/prepare-request";
import type { Batch } from "../../../gateway/queue/dispatcher";
import { StoreError } from "../../../store/engine/store-error";
import { MessageAcceptance } from "./message-acceptance";
import type { Outbox } from "./outbox";
import type { OutboxAccount } from "./outbox-account";
import { OutboxRecovery } from "./outbox-recovery";
import { SessionStore } from "./session-store";
import { StoreTrouble } from "./store-trouble";
import type { ResultNode } from "./stored-message";

/**
 * A session of an outbox.
 * - `open`: its config node is there. Messages are accepted, and leave as soon as flows run and its store is open.
 * - `closing`: entered by `close`, and never left. Nothing is accepted and nothing starts; answers of requests under way are waited for,
 *   and leave from the nodes of the outbox.
 */
type OutboxSessionMode = "open" | "closing";

/** The time that one config node is attached to the outbox of its account: what depends on the settings of one deploy. */
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

  get snapshotLimit(): number {
    return this.account.snapshotLimit;
  }

  /** True if as many messages wait as the account may have waiting. @param reading messages that are about to be accepted */
  isFull(reading = 0): boolean {
    const { queueLimit, concurrency } = this.account.dispatcher;
    return this.outbox.messages.size + this.acceptance.unread + reading >= queueLimit + concurrency;
  }

  /** A send node starts. Its earlier results come as soon as flows run. @returns ends it */
  attach(id: string, node: ResultNode): () => void {
    const detach = this.outbox.attachNode(id, node);
    if (this.account.lifecycle.running) {
      this.#recovery.sync();
    }
    return detach;
  }

  /** Checks and encodes a request. @throws SetupError, FieldError */
  prepare(batch: Batch): PreparedRequest {
    return this.account.dispatcher.prepare(batch);
  }

  /** Sends what is in the store, also where none of its nodes runs: a person has let it go on without one. */
  run(): void {
    this.#recovery.run();
  }

  /** A message could not be written. */
  #failed(error: unknown): void {
    if (error instanceof StoreError && this.#mode === "open") {
      this.#trouble.note(error);
      // An opened store is asked by its queue, one that cannot be opened by the recovery.
      this.#store.opened?.queue.noteFault(error);
    }
  }

  #openAnew(): void {
    if (this.#mode === "open" && this.#store.renew()) {
      this.#recovery.begin();
    }
  }

  /** Ends the queue; what has not left stays in the store. @param grace ms to wait for answers */
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
