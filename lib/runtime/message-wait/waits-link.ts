import { SetupError } from "../../shared/messaging-error";
import type { WaitListener, Waits } from "../waits/waits";

const RETRY = 5_000;

/** Retries until the waits of the account can be opened. */
export class WaitsLink {
  #opening: Promise<Waits> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #leave = (): void => {};
  #closed = false;

  constructor(
    private readonly node: string,
    private readonly listener: WaitListener,
    private readonly waits: () => Promise<Waits>,
    private readonly retry = RETRY,
  ) {}

  open(): Promise<Waits> {
    this.#opening ??= this.#join();
    return this.#opening;
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetry();
    this.#leave();
  }

  async #join(): Promise<Waits> {
    this.#cancelRetry();
    try {
      const waits = await this.waits();
      if (!this.#closed) {
        this.#leave = waits.join(this.node, this.listener);
        this.listener.trouble(null);
      }
      return waits;
    } catch (error) {
      this.#opening = null;
      if (!this.#closed) {
        this.listener.trouble(error as Error);
        // A setting stays wrong until the next deploy.
        if (!(error instanceof SetupError)) {
          this.#timer = setTimeout(() => void this.open().catch(() => {}), this.retry);
        }
      }
      throw error;
    }
  }

  #cancelRetry(): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }
}
