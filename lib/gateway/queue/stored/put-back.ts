import { StoreError } from "../../../store/engine/store-error";
import type { ClaimedRequest, ReleasedRequest } from "../../../store/request-claims";
import type { QueueMemory, QueueStore } from "./stored-messages";

/** Whom putting back tells what. None may throw. */
export interface PutBackListener {
  /** Whether the request has taken once keys or a part of a limit. */
  readonly isGuarded: (request: ClaimedRequest) => boolean;
  /** This process has claimed the request. */
  readonly claimed: (id: number) => void;
  /** Waits with the other work of the queue until this has ended. */
  readonly track: (work: Promise<unknown>) => void;
  /** The request may leave again in so many ms. */
  readonly due: (delay: number) => void;
  /** The store has failed; what could not be put back is tried again. */
  readonly failed: (error: unknown) => void;
}

/** Gives requests back to the store of which surely nothing has left, and remembers those that it could not give back. */
export class PutBack {
  /** Whether a request may wait for its time. */
  mayWait = true;

  constructor(
    private readonly place: QueueStore,
    private readonly memory: QueueMemory,
    private readonly listener: PutBackListener,
  ) {}

  /** This process has claimed the request. */
  hold(request: ClaimedRequest): void {
    this.memory.claims.held.set(request.id, request);
    this.listener.claimed(request.id);
    // Only what was put back can be claimed.
    this.memory.pending.releases.delete(request.id);
  }

  /** Whether this is the last claim of the request. */
  isLast(request: ClaimedRequest): boolean {
    return this.memory.claims.held.get(request.id) === request;
  }

  /** The store knows what became of a request. */
  forget(id: number): void {
    this.memory.claims.held.delete(id);
  }

  /** @param postponed whether it waits for a rule, not for another try */
  put(request: ClaimedRequest, delay: number, attempts: number, postponed = false): void {
    this.listener.track(this.#release(request, delay, attempts, postponed));
  }

  /** Puts a request back with those that could not be put back before. */
  putLater(request: ClaimedRequest, released = this.#released(request, 0, request.attempts, false)): void {
    if (this.isLast(request)) {
      this.memory.pending.releases.set(request.id, { owner: this.place.instances.id, released });
    }
  }

  /** A claim failed: where that is uncertain, it may have happened all the same. */
  noteClaim(error: unknown): void {
    this.memory.claims.uncertain ||= error instanceof StoreError && error.uncertain;
  }

  /**
   * Puts back what could not be put back before, and what a claim has taken whose answer was lost.
   * @param quiet resolves when no message is being taken and claimed in one
   * @throws StoreError
   */
  async putAll(quiet: () => Promise<void>): Promise<void> {
    const { store, instances, account } = this.place;
    const { claims, pending } = this.memory;
    await pending.writeReleases(store.claims, (id) => this.forget(id));
    if (claims.uncertain) {
      // No new ones begin while it is.
      await quiet();
      await store.claims.releaseOthers(account, instances.id, [...claims.held.keys()]);
      claims.uncertain = false;
    }
  }

  #released(request: ClaimedRequest, delay: number, attempts: number, postponed: boolean): ReleasedRequest {
    const guarded = this.listener.isGuarded(request);
    return { id: request.id, delay, priority: attempts, attempts, guarded, postponed };
  }

  async #release(
    request: ClaimedRequest,
    delay: number,
    attempts: number,
    postponed: boolean,
  ): Promise<void> {
    this.mayWait = true;
    const { store, instances, account } = this.place;
    const released = this.#released(request, delay, attempts, postponed);
    try {
      await store.claims.release(account, instances.id, [released]);
      if (this.isLast(request)) {
        this.forget(request.id);
      }
      this.listener.due(delay);
    } catch (error) {
      // Where it was claimed again meanwhile, it had been put back in spite of the error.
      this.putLater(request, released);
      this.listener.failed(error);
    }
  }
}
