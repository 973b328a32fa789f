/** A one-way switch with many listeners. */
export class CancelSignal {
  readonly #listeners = new Set<() => void>();
  #stopped = false;

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Calls `listener` once when stopped, at once if that was before. @returns a function that removes the listener */
  onStop(listener: () => void): () => void {
    if (this.#stopped) {
      listener();
      return () => {};
    }
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** What the promise gives, or null as soon as the signal is stopped; a later failure of the promise is dropped. */
  orNull<T>(promise: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const release = this.onStop(() => resolve(null));
      promise.then(resolve, reject).finally(() => release());
    });
  }

  stop(): void {
    this.#stopped = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) {
      listener();
    }
  }
}

/** Signals that end a request early: `stopNew` before it leaves, `abort` also after it has left. */
export interface CancelSignals {
  readonly stopNew: CancelSignal;
  readonly abort: CancelSignal;
}
