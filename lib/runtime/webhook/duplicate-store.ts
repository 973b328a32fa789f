import { atMost } from "../../shared/async/at-most";
import type { Node } from "node-red";
import { say } from "../../texts/say";
import type { DuplicateMemory } from "../../webhook/duplicate-memory";
import { Throttle } from "../node-red/throttle";

const KEY = "duplicates";
/** ms between two writes. A slow store gets a pause of `PAUSE_FACTOR` times the duration of its last write. */
const WRITE_INTERVAL = 250;
const PAUSE_FACTOR = 20;
/** ms after which a call of the store counts as failed. */
const CALL_TIMEOUT = 5000;
/** ms for the last write. Together with the node's own waits it stays below Node-RED's limit of 15 s for closing. */
const LAST_WRITE_TIMEOUT = 4000;

/** Differs from every number of changes. */
const NEVER = -1;

type Context = ReturnType<Node["context"]>;
type StoreCallback = (error?: Error | null, value?: unknown) => void;

/**
 * Stores the duplicate keys in a context store of Node-RED: reads them once, writes them after changes at a limited rate,
 * and a last time at the end.
 */
export class DuplicateStore {
  readonly #context: Context;
  readonly #throttle: Throttle;
  #stored = 0;
  #writing: Promise<void> | null = null;
  #duration = 0;
  #loaded = false;
  #closed = false;

  /**
   * @param store name of a context store; blank for the default one
   * @param failed receives each failure of the store; null when the store works again
   */
  constructor(
    node: Node,
    private readonly store: string,
    private readonly memory: DuplicateMemory,
    private readonly failed: (error: Error | null) => void,
  ) {
    this.#context = node.context();
    memory.onChange(() => this.#touch());
    this.#throttle = new Throttle(
      () => void this.#write(),
      () => Math.max(WRITE_INTERVAL, PAUSE_FACTOR * this.#duration),
    );
  }

  /**
   * Reads the stored keys. Never rejects: without them only duplicates of old events are not detected.
   * @param inherited the memory holds keys of a closed node that were not written
   */
  async open(inherited = false): Promise<void> {
    await this.#load().catch((error: Error) => this.failed(error));
    if (inherited) {
      this.#stored = NEVER;
      this.#touch();
    }
  }

  /** Stops writing, because another node continues. @returns the write that is under way */
  stop(): Promise<void> | null {
    this.#throttle.close();
    return this.#writing;
  }

  /** Writes the remaining changes, then stops. */
  async close(): Promise<void> {
    this.#throttle.close();
    const last = async (): Promise<void> => {
      await this.#writing;
      await this.#write();
    };
    await atMost(LAST_WRITE_TIMEOUT, last());
    this.#closed = true;
  }

  #touch(): void {
    if (!this.#closed && this.memory.changes !== this.#stored) {
      this.#throttle.ask();
    }
  }

  async #load(): Promise<void> {
    const before = this.memory.changes;
    const state = await this.#call((callback) => this.#context.get(KEY, this.#name, callback));
    this.memory.restore(state);
    this.#loaded = true;
    this.#stored = before;
  }

  get #name(): string | undefined {
    return this.store === "" ? undefined : this.store;
  }

  async #write(): Promise<void> {
    if (this.#closed || this.#writing !== null || this.memory.changes === this.#stored) {
      return;
    }
    const start = performance.now();
    this.#writing = this.#save();
    await this.#writing;
    this.#writing = null;
    this.#duration = performance.now() - start;
    this.#touch();
  }

  async #save(): Promise<void> {
    try {
      if (!this.#loaded) {
        // Stored keys that could not be read at the start must not be overwritten.
        await this.#load();
      }
      const { changes } = this.memory;
      await this.#call((callback) => this.#context.set(KEY, this.memory.state(), this.#name, callback));
      this.#stored = changes;
      this.#report(null);
    } catch (error) {
      this.#report(error as Error);
    }
  }

  /** A closed node reports nothing. */
  #report(error: Error | null): void {
    if (!this.#closed) {
      this.failed(error);
    }
  }

  #call(use: (callback: StoreCallback) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(say("webhook.store-silent"))), CALL_TIMEOUT);
      const callback: StoreCallback = (error, value) => {
        clearTimeout(timer);
        if (error) {
          reject(error);
        } else {
          resolve(value);
        }
      };
      try {
        use(callback);
      } catch (error) {
        callback(error as Error);
      }
    });
  }
}
