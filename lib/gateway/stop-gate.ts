/** A one-way switch many can listen to: an AbortSignal without its cost for thousands of listeners. */
export class StopGate {
  readonly #listeners = new Set<() => void>();
  #stopped = false;

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Calls `listener` once when stopped, at once if that was before. @returns a function that takes it back */
  onStop(listener: () => void): () => void {
    if (this.#stopped) {
      listener();
      return () => {};
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
