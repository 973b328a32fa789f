import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import type { AccountStore } from "../store/open-store";

export interface StoreAccessParts {
  /** @throws SetupError, StoreError */
  readonly open: () => Promise<AccountStore>;
  readonly onLeft: () => void;
}

/** The store of an account, shared by its users and opened again after its registration has expired. */
export class StoreAccess {
  #store: Promise<AccountStore> | null = null;
  readonly #left = new WeakSet<AccountStore>();
  /** The outbox writes its last outcomes here after the other users have released the store. */
  #retained: AccountStore | null = null;
  #releaseRetained: () => Promise<void> = async () => {};
  #closed = false;

  constructor(private readonly parts: StoreAccessParts) {}

  /** @throws SetupError, StoreError (as a rejection) if the settings are wrong or the store cannot be opened */
  async open(): Promise<AccountStore> {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
    const opening = this.#store ?? this.parts.open();
    this.#store = opening;
    return opening.catch((error: unknown) => {
      // A failure is not cached: the disk may have space again at the next message.
      if (this.#store === opening) {
        this.#store = null;
      }
      throw error;
    });
  }

  /** Opens the store for the outbox, which retains it after `stop` until `release`. */
  async retain(): Promise<AccountStore> {
    const store = await this.open();
    if (store !== this.#retained) {
      this.#retained = store;
      this.#releaseRetained = store.retain();
    }
    return store;
  }

  async leave(store: AccountStore): Promise<void> {
    if (this.#left.has(store) || this.#closed) {
      return;
    }
    this.#left.add(store);
    this.#store = null;
    this.parts.onLeft();
    await store.leave();
  }

  async leaveRetained(store: AccountStore): Promise<void> {
    await this.#releaseRetained();
    await this.leave(store);
  }

  stop(): void {
    this.#closed = true;
  }

  async close(): Promise<void> {
    await this.#releaseRetained();
    const store = await this.#store?.catch(() => null);
    // A user that requested the store while it opened retains it first.
    await new Promise((resolve) => setImmediate(resolve));
    await store?.release();
  }
}
