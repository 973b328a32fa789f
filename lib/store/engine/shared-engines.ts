import type { Engine } from "./engine";

/** An engine that several users share. `release` may be called once by each. */
export interface SharedEngine {
  readonly engine: Engine;
  /** Gives it back; the last one closes it. Resolves when that is done. */
  readonly release: () => Promise<void>;
}

interface Open {
  readonly engine: Engine;
  users: number;
}

/** Engines of this process by what they have open. Nothing is opened again before it is closed. */
export class SharedEngines {
  readonly #open = new Map<string, Open>();
  readonly #closing = new Map<string, Promise<void>>();

  /** @param make called where nobody has this open */
  async share(key: string, make: () => Engine): Promise<SharedEngine> {
    while (this.#closing.has(key)) {
      await this.#closing.get(key);
    }
    let entry = this.#open.get(key);
    if (entry === undefined) {
      entry = { engine: make(), users: 0 };
      this.#open.set(key, entry);
    }
    const mine = entry;
    mine.users++;
    let released: Promise<void> | null = null;
    return { engine: mine.engine, release: () => (released ??= this.#release(key, mine)) };
  }

  async #release(key: string, entry: Open): Promise<void> {
    entry.users--;
    if (entry.users > 0) {
      return;
    }
    this.#open.delete(key);
    const closed = entry.engine.close();
    this.#closing.set(key, closed);
    await closed;
    if (this.#closing.get(key) === closed) {
      this.#closing.delete(key);
    }
  }
}
