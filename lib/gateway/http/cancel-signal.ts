export class CancelSignal {
  readonly #listeners = new Set<() => void>();
  #stopped = false;

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Calls `listener` once, also if already stopped, and returns a function that removes it. */
  onStop(listener: () => void): () => void {
    if (this.#stopped) {
      listener();
      return () => {};
    }
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves with null when the signal stops, and drops a later rejection. */
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

/** `stopNew` ends unsent requests, `abort` also sent ones. */
export interface CancelSignals {
  readonly stopNew: CancelSignal;
  readonly abort: CancelSignal;
}
