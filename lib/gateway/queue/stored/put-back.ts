import { StoreError } from "../../../store/engine/store-error";
import type { ClaimedRequest, ReleasedRequest } from "../../../store/jobs/request-claims";
import { isGuarded, type QueueCore } from "./stored-messages";

/** Gives requests back to the store of which surely nothing has left, and remembers those that it could not give back. */
export class PutBack {
  /** Whether a request may wait for its time. */
  mayWait = true;

  constructor(private readonly core: QueueCore) {}

  /** This process has claimed the request. */
  claimed(request: ClaimedRequest): void {
    const { memory } = this.core;
    memory.claims.requests.set(request.id, request);
    // Only what was put back can be claimed.
    memory.pending.releases.delete(request.id);
  }

  /** Whether this is the last claim of the request. */
  isLast(request: ClaimedRequest): boolean {
    return this.core.memory.claims.requests.get(request.id) === request;
  }

  /** The store knows what became of a request. */
  forget(id: number): void {
    this.core.memory.claims.requests.delete(id);
  }

  /** @param postponed whether it waits for a rule, not for another try */
  put(request: ClaimedRequest, delay: number, attempts: number, postponed = false): void {
    this.core.work.track(this.#release(request, delay, attempts, postponed));
  }

  /** Puts a request back with those that could not be put back before. */
  putLater(request: ClaimedRequest, released = this.#released(request, 0, request.attempts, false)): void {
    if (this.isLast(request)) {
      const { place, memory } = this.core;
      memory.pending.releases.set(request.id, { owner: place.instances.id, released });
    }
  }

  /** A claim failed: where that is uncertain, it may have happened all the same. */
  noteClaim(error: unknown): void {
    this.core.memory.claims.uncertain ||= error instanceof StoreError && error.uncertain;
  }

  /** Puts back what could not be before, and what a lost claim took. @param quiet nothing is accepted and claimed in one @throws StoreError */
  async putAll(quiet: () => Promise<void>): Promise<void> {
    const { store, instances, account } = this.core.place;
    const { claims, pending } = this.core.memory;
    await pending.writeReleases(store.claims, (id) => this.forget(id));
    if (claims.uncertain) {
      // No new ones begin while it is.
      await quiet();
      await store.claims.releaseOthers(account, instances.id, [...claims.requests.keys()]);
      claims.uncertain = false;
    }
  }

  #released(request: ClaimedRequest, delay: number, attempts: number, postponed: boolean): ReleasedRequest {
    const guarded = isGuarded(request, this.core.rules);
    return { id: request.id, delay, priority: attempts, attempts, guarded, postponed };
  }

  async #release(
    request: ClaimedRequest,
    delay: number,
    attempts: number,
    postponed: boolean,
  ): Promise<void> {
    this.mayWait = true;
    const { place, work } = this.core;
    const { store, instances, account } = place;
    const released = this.#released(request, delay, attempts, postponed);
    try {
      await store.claims.release(account, instances.id, [released]);
      if (this.isLast(request)) {
        this.forget(request.id);
      }
      work.timers.wakeIn(delay);
    } catch (error) {
      // Where it was claimed again meanwhile, it had been put back in spite of the error.
      this.putLater(request, released);
      work.failed(error);
    }
  }
}
