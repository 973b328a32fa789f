import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import type { AccountStore } from "../store/open-store";

/** How an account gets its store. */
export interface StoreAccessParts {
  /** @throws SetupError, StoreError */
  readonly open: () => Promise<AccountStore>;
  /** The store does not know this process any more. */
  readonly onLeft: () => void;
}

/**
 * The store of an account while its config node is there: opened on first use, shared by all that use it, and opened anew where it does
 * not know this process any more.
 */
export class StoreAccess {
  #store: Promise<AccountStore> | null = null;
  /** Stores that were given back because they do not know this process any more. */
  readonly #left = new WeakSet<AccountStore>();
  /** The one that a session of the outbox uses, and what gives it back: its last answers are written there also after others have left. */
  #retained: AccountStore | null = null;
  #releaseRetained: () => Promise<void> = async () => {};
  #closed = false;

  constructor(private readonly parts: StoreAccessParts) {}

  /**
   * What the account remembers.
   * @throws SetupError, StoreError (as a rejection) where the settings are wrong or the store cannot be opened
   */
  async open(): Promise<AccountStore> {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
    const opening = this.#store ?? this.parts.open();
    this.#store = opening;
    return opening.catch((error: unknown) => {
      // Not cached: the disk may have space again at the next message.
      if (this.#store === opening) {
        this.#store = null;
      }
      throw error;
    });
  }

  /** The same for the outbox, which keeps it beyond `stop` until `release`. */
  async retain(): Promise<AccountStore> {
    const store = await this.open();
    if (store !== this.#retained) {
      this.#retained = store;
      this.#releaseRetained = store.retain();
    }
    return store;
  }

  /** A store that does not know this process any more is opened anew by whoever needs it next. */
  async leave(store: AccountStore): Promise<void> {
    if (this.#left.has(store) || this.#closed) {
      return;
    }
    this.#left.add(store);
    this.#store = null;
    this.parts.onLeft();
    await store.leave();
  }

  /** The same for the outbox. */
  async leaveRetained(store: AccountStore): Promise<void> {
    await this.#releaseRetained();
    await this.leave(store);
  }

  /** Opens it no more. */
  stop(): void {
    this.#closed = true;
  }

  /** Gives it back, also what the outbox holds. */
  async close(): Promise<void> {
    await this.#releaseRetained();
    const store = await this.#store?.catch(() => null);
    // Who has asked for it while it opened retains it first.
    await new Promise((resolve) => setImmediate(resolve));
    await store?.release();
  }
}
