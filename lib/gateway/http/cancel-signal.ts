import { type ListNode, LinkedList } from "./linked-list";

/** A one-way switch with many listeners: an AbortSignal without its cost for thousands of listeners. */
export class CancelSignal {
  readonly #listeners = new LinkedList<() => void>();
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
    const node = this.listen(listener);
    return () => this.leave(node);
  }

  /** As `onStop`, for a signal that is not stopped yet. @returns the node to give to `leave` */
  listen(listener: () => void): ListNode<() => void> {
    return this.#listeners.add(listener);
  }

  leave(node: ListNode<() => void>): void {
    this.#listeners.remove(node);
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
    for (const listener of this.#listeners.takeAll()) {
      listener();
    }
  }
}

/** Signals that end a request early: `stopNew` before it leaves, `abort` also after it has left. */
export interface CancelSignals {
  readonly stopNew: CancelSignal;
  readonly abort: CancelSignal;
}
