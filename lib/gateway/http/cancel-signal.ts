import { type ListNode, LinkedList } from "./linked-list";

/** A one-way switch many can listen to: an AbortSignal without its cost for thousands of listeners. */
export class CancelSignal {
  readonly #listeners = new LinkedList<() => void>();
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
    const place = this.listen(listener);
    return () => this.leave(place);
  }

  /** As `onStop`, for a gate that is not stopped yet and by somebody who keeps the place to leave it. */
  listen(listener: () => void): ListNode<() => void> {
    return this.#listeners.add(listener);
  }

  leave(place: ListNode<() => void>): void {
    this.#listeners.remove(place);
  }

  /** What the promise gives, or null as soon as the gate is stopped; a later failure of the promise is dropped. */
  orNull<T>(promise: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const release = this.onStop(() => resolve(null));
      promise.then(resolve, reject).finally(() => release());
    });
  }

  stop(): void {
    this.#stopped = true;
    for (const listener of this.#listeners.takeAll()) {
      listener();
    }
  }
}

/** What ends a request early: `stopNew` keeps it from leaving, `abort` gives up on one that has left, too. */
export interface CancelSignals {
  readonly stopNew: CancelSignal;
  readonly abort: CancelSignal;
}
