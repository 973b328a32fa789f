import { SetupError } from "../../../lib/shared/messaging-error";
import { Digests } from "../store/digests";
import { StoreError } from "../../../lib/store/engine/store-error";
import type { Account } from "../../../lib/runtime/account/account";
import type { AccountStore } from "../../../lib/runtime/store/open-store";

/** Where the digests of an account are. */
export interface DigestPlace {
  readonly digests: Digests;
  /** This process. */
  readonly owner: string;
  /** Whether anything may leave it: others may have called it dead. */
  readonly mayLeave: () => boolean;
  /** Whether other processes may gather there too. */
  readonly isShared: boolean;
  /** Characters of a message. */
  readonly limit: number;
}

/** What is told of a store. */
export interface PlaceListener {
  /** There may be something that nobody told of. */
  readonly look: () => void;
}

/** The store of an account as it is open now: another one if that did not know this process any more. */
export class CurrentPlace {
  #store: AccountStore | null = null;
  #place: DigestPlace | null = null;
  #leave: () => Promise<void> = async () => {};
  #closed = false;

  constructor(
    private readonly account: Account,
    private readonly listener: PlaceListener,
  ) {}

  /** @throws StoreError, SetupError where it cannot be opened, or after `close` */
  async get(): Promise<DigestPlace> {
    const store = this.#closed ? null : await this.#open();
    // It may have been closed meanwhile.
    if (store !== null && !this.#closed && (this.#place === null || store !== this.#store)) {
      await this.#enter(store);
    }
    if (this.#place === null) {
      throw new StoreError("STORE_CLOSED", "", "", false);
    }
    return this.#place;
  }

  /** The node may end later than the account, and goes on with the store that it has. */
  async #open(): Promise<AccountStore | null> {
    try {
      return await this.account.store();
    } catch (error) {
      if (this.#place !== null && error instanceof SetupError && error.code === "ACCOUNT_CLOSED") {
        return this.#store;
      }
      throw error;
    }
  }

  /** Gives the store back. What is under way may use the place until then. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#leave();
  }

  async #enter(store: AccountStore): Promise<void> {
    const leave = this.#leave;
    this.#store = store;
    const release = store.retain();
    const isShared = !store.store.engine.exclusive;
    const { look } = this.listener;
    const unwatch = store.watch({
      died: look,
      over: () => void this.#renew(store),
      // Others add without a word.
      ...(isShared && { beat: look }),
    });
    this.#leave = async () => {
      unwatch();
      await release();
    };
    this.#place = {
      digests: store.store.of(Digests, store.account),
      owner: store.instances.id,
      mayLeave: () => store.instances.mayLeave,
      isShared,
      limit: store.settings.snapshotLimit,
    };
    await leave();
  }

  async #renew(store: AccountStore): Promise<void> {
    if (this.#store !== store || this.#closed) {
      return;
    }
    this.#store = null;
    this.#place = null;
    const leave = this.#leave;
    this.#leave = async () => {};
    await leave();
    await this.account.leaveStore(store).catch(() => {});
    this.listener.look();
  }
}
