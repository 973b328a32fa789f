import type { Node } from "node-red";
import type { DuplicateMemory } from "../../webhook/duplicate-memory";
import { Throttle } from "../node-red/throttle";

const KEY = "duplicates";
/** ms between two writes; a store that takes long to write is given as many times as long to rest. */
const PACE = 250;
const REST = 20;
/** ms after which a store that does not answer is gone on without. */
const PATIENCE = 5000;
/** ms for the last write: with what the node itself waits for, Node-RED must not lose its patience. */
const LAST_PATIENCE = 4000;

/** No count of changes. */
const NEVER = -1;

type Context = ReturnType<Node["context"]>;
type Told = (error?: Error | null, value?: unknown) => void;

/**
 * Keeps a memory of duplicates in a context store of Node-RED: read once, written after changes, not too often,
 * and once more at the end.
 */
export class DuplicateStore {
  readonly #context: Context;
  readonly #paced: Throttle;
  #stored = 0;
  #writing: Promise<void> | null = null;
  #took = 0;
  #loaded = false;
  #closed = false;

  /**
   * @param store name of a context store; blank for the default one
   * @param failed told of each failure of the store; null when it works again
   */
  constructor(
    node: Node,
    private readonly store: string,
    private readonly memory: DuplicateMemory,
    private readonly failed: (error: Error | null) => void,
  ) {
    this.#context = node.context();
    memory.onChange(() => this.#touch());
    this.#paced = new Throttle(
      () => void this.#write(),
      () => Math.max(PACE, REST * this.#took),
    );
  }

  /**
   * Reads what was kept. Never rejects: without it everything works, but for copies of old events.
   * @param inherited the memory holds what another node did not write any more
   */
  async open(inherited = false): Promise<void> {
    await this.#load().catch((error: Error) => this.failed(error));
    if (inherited) {
      this.#stored = NEVER;
      this.#touch();
    }
  }

  /** Writes no more of its own accord, for another node goes on. @returns the write that is under way */
  stop(): Promise<void> | null {
    this.#paced.close();
    return this.#writing;
  }

  /** Writes what is not written yet, and no more after that. */
  async close(): Promise<void> {
    this.#paced.close();
    let timer: NodeJS.Timeout | undefined;
    const last = (async () => {
      await this.#writing;
      await this.#write();
    })();
    await Promise.race([
      last,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_PATIENCE);
      }),
    ]);
    clearTimeout(timer);
    this.#closed = true;
    this.#paced.close();
  }

  #touch(): void {
    if (!this.#closed && this.memory.changes !== this.#stored) {
      this.#paced.ask();
    }
  }

  async #load(): Promise<void> {
    const before = this.memory.changes;
    const state = await this.#call((told) => this.#context.get(KEY, this.#name, told));
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
    this.#took = performance.now() - start;
    this.#touch();
  }

  async #save(): Promise<void> {
    try {
      if (!this.#loaded) {
        // What could not be read at the start must not be written over.
        await this.#load();
      }
      const { changes } = this.memory;
      await this.#call((told) => this.#context.set(KEY, this.memory.state(), this.#name, told));
      this.#stored = changes;
      this.#report(null);
    } catch (error) {
      this.#report(error as Error);
    }
  }

  /** A closed node has nothing to say any more. */
  #report(error: Error | null): void {
    if (!this.#closed) {
      this.failed(error);
    }
  }

  #call(use: (told: Told) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the context store does not answer")), PATIENCE);
      const told: Told = (error, value) => {
        clearTimeout(timer);
        if (error) {
          reject(error);
        } else {
          resolve(value);
        }
      };
      try {
        use(told);
      } catch (error) {
        told(error as Error);
      }
    });
  }
}
