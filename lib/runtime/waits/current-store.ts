import { StoreError } from "../../store/engine/store-error";
import { waitsTopic } from "../../store/waits/waits-topic";
import type { AccountStore } from "../store/open-store";

export interface StoreOpener {
  /** @throws StoreError, SetupError */
  readonly openStore: () => Promise<AccountStore>;
  /** Closes a store whose instance has expired, so that it is opened again. Several users may call it. */
  readonly leaveStore: (store: AccountStore) => Promise<void>;
}

export interface StoreListener {
  readonly entered: (place: AccountStore) => void;
  /** There may be reports for waits of this process. */
  readonly told?: () => void;
  readonly died: () => void;
  readonly beat: () => void;
  /** The instance of this process has expired. The store can be opened again. */
  readonly over: () => void;
}

/** The open store of an account: another one after this process expired, or after its file was deleted. */
export class CurrentStore {
  #place: AccountStore | null = null;
  #leave: () => Promise<void> = async () => {};
  /** Resolves when previous stores are released. */
  #left: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(
    private readonly opener: StoreOpener,
    private readonly listener: StoreListener,
  ) {}

  /** @throws StoreError, SetupError if it cannot be opened, or after `close` */
  async get(): Promise<AccountStore> {
    if (this.#closed) {
      return this.#last;
    }
    const place = await this.opener.openStore();
    if (this.#closed) {
      return this.#last;
    }
    if (place !== this.#place) {
      this.#enter(place);
    }
    return place;
  }

  /** Work under way may use the last one until it is released. */
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
    this.#release();
    await this.#left;
  }

  #enter(place: AccountStore): void {
    this.#release();
    const release = place.retain();
    const { store, instances } = place;
    const { told, died, beat } = this.listener;
    const ends = [
      ...(told === undefined ? [] : [store.engine.listen(waitsTopic(instances.id), told)]),
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
    this.#release();
    await this.opener.leaveStore(place).catch(() => {});
    if (!this.#closed) {
      this.listener.over();
    }
  }

  #release(): void {
    const leave = this.#leave;
    this.#leave = async () => {};
    this.#left = Promise.allSettled([this.#left, leave()]);
  }
}
