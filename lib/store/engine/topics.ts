/** Listeners by topic, within this process. */
export class Topics {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** @returns ends it */
  listen(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    // The same function may listen twice.
    const own = (): void => listener();
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) {
        this.#listeners.delete(topic);
      }
    };
  }

  tell(topics: Iterable<string>): void {
    for (const topic of topics) {
      for (const listener of this.#listeners.get(topic) ?? []) {
        listener();
      }
    }
  }

  /** Tells every listener: something may have been missed. */
  tellAll(): void {
    this.tell([...this.#listeners.keys()]);
  }
}
