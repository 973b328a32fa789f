import { StoreError } from "../../store/engine/store-error";
import { waitsTopic } from "../../store/waits/waits-topic";
import type { AccountStore } from "../store/open-store";

export interface StoreOpener {
  /** Opens the store, or gives it where it is open. @throws StoreError, SetupError */
  readonly openStore: () => Promise<AccountStore>;
  /** Gives a store back that does not know this process any more, so that it is opened anew. Several users may call it. */
  readonly leaveStore: (store: AccountStore) => Promise<void>;
}

export interface StoreListener {
  /** This store is open from now on, in place of another one. */
  readonly entered: (place: AccountStore) => void;
  /** Something may have been reported of what this process waits for. */
  readonly told: () => void;
  readonly died: () => void;
  readonly beat: () => void;
  /** It does not know this process any more. It can be opened anew. */
  readonly over: () => void;
}

/** ms for which a store that could not be opened is not tried again: thousands may ask meanwhile. */
const PAUSE = 1_000;

/** The store that an account has open now: another one after others have called this process dead, or where its file is gone. */
export class CurrentStore {
  #place: AccountStore | null = null;
  #leave: () => Promise<void> = async () => {};
  /** Resolves when former ones are given back. */
  #left: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown; readonly until: number } | null = null;
  #closed = false;

  constructor(
    private readonly opener: StoreOpener,
    private readonly listener: StoreListener,
  ) {}

  /** @throws StoreError, SetupError where it cannot be opened, or after `close` */
  async get(): Promise<AccountStore> {
    if (this.#closed) {
      return this.#last;
    }
    if (this.#failure !== null && performance.now() < this.#failure.until) {
      throw this.#failure.error;
    }
    try {
      const place = await this.opener.openStore();
      this.#failure = null;
      if (this.#closed) {
        return this.#last;
      }
      if (place !== this.#place) {
        this.#enter(place);
      }
      return place;
    } catch (error) {
      this.#failure = { error, until: performance.now() + PAUSE };
      throw error;
    }
  }

  /** What is under way may use the last one, until it is given back. */
  get #last(): AccountStore {
    if (this.#place === null) {
      throw new StoreError("STORE_CLOSED", "", "", false);
    }
    return this.#place;
  }

  stop(): void {
    this.#closed = true;
  }

  async close(): Promise<void> {
    this.stop();
    this.#place = null;
    this.#giveBack();
    await this.#left;
  }

  #enter(place: AccountStore): void {
    this.#giveBack();
    const release = place.retain();
    const { store, instances } = place;
    const { told, died, beat } = this.listener;
    const ends = [
      store.engine.listen(waitsTopic(instances.id), told),
      place.watch({ died, beat, over: () => void this.#renew(place) }),
    ];
    this.#leave = () => {
      for (const end of ends) {
        end();
      }
      return release();
    };
    this.#place = place;
    this.listener.entered(place);
  }

  async #renew(place: AccountStore): Promise<void> {
    if (this.#place !== place) {
      return;
    }
    this.#place = null;
    this.#giveBack();
    await this.opener.leaveStore(place).catch(() => {});
    if (!this.#closed) {
      this.listener.over();
    }
  }

  #giveBack(): void {
    const leave = this.#leave;
    this.#leave = async () => {};
    this.#left = Promise.allSettled([this.#left, leave()]);
  }
}
