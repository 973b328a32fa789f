import { StoreError } from "../../store/engine/store-error";
import type { AccountStore } from "./open-store";

/** Milliseconds between attempts to open a store: thousands of callers may need it. */
const PAUSE = 1_000;

/** The store of an account for a node that may outlive the account. */
export class RetainedStore {
  #opening: Promise<AccountStore> | null = null;
  #leave: (() => Promise<void>) | null = null;
  #failure: { readonly error: unknown; readonly until: number } | null = null;
  #closed = false;

  constructor(private readonly open: () => Promise<AccountStore>) {}

  /** @throws StoreError, SetupError (as a rejection) if the store cannot be opened, or after `close` */
  async get(): Promise<AccountStore> {
    if (this.#closed) {
      throw new StoreError("STORE_CLOSED", "", "", false);
    }
    if (this.#failure !== null && performance.now() < this.#failure.until) {
      throw this.#failure.error;
    }
    this.#opening ??= this.#hold();
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => {});
    const leave = this.#leave;
    this.#leave = null;
    await leave?.();
  }

  async #hold(): Promise<AccountStore> {
    try {
      const opened = await this.open();
      this.#leave = opened.retain();
      this.#failure = null;
      return opened;
    } catch (error) {
      this.#opening = null;
      this.#failure = { error, until: performance.now() + PAUSE };
      throw error;
    }
  }
}
