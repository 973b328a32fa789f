import { type Place, Roster } from "./linked-list";

/** A one-way switch many can listen to: an AbortSignal without its cost for thousands of listeners. */
export class StopGate {
  readonly #listeners = new Roster<() => void>();
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
  listen(listener: () => void): Place<() => void> {
    return this.#listeners.add(listener);
  }

  leave(place: Place<() => void>): void {
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

/** What ends a request early: `halt` keeps it from leaving, `kill` gives up on one that has left, too. */
export interface StopGates {
  readonly halt: StopGate;
  readonly kill: StopGate;
}
