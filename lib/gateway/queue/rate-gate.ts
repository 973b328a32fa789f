import type { ClaimedRequest } from "../../store/jobs/request-claims";
import { claimGuard, type QueueCore } from "./stored/stored-messages";

/** What a claim has brought. */
export interface Claimed {
  readonly requests: readonly ClaimedRequest[];
  /** Whether there was nothing more to claim. */
  readonly drained: boolean;
}

/** Starts a request. @param latest moment of `performance.now` until which its turn lasts; Infinity where it needs none */
export type Begin = (request: ClaimedRequest, latest: number) => void;

/** Decides when the requests of a stored queue leave. */
export interface RateGate {
  /** Turns that were taken for requests to claim. */
  readonly reserved: number;
  /** Requests that were claimed and wait for their turn. */
  readonly waiting: number;
  /** Takes turns for as many requests, or fewer: then the queue is told as soon as it may ask for more. */
  reserve(room: number): void;
  /** Gives the turns away that were taken. */
  use(): number;
  /** Claims as many requests as `use` gave turns for. @throws StoreError */
  claim(most: number): Promise<Claimed>;
  /** Gives each request to `begin` when its turn has come. */
  start(requests: readonly ClaimedRequest[], begin: Begin): void;
  /** Starts no more. @returns the requests that wait */
  stop(): readonly ClaimedRequest[];
}

/** The rate gate of a process that has its store alone: turns are those of the process, taken before requests are claimed. */
export class OwnRateGate implements RateGate {
  readonly waiting = 0;
  #reserved = 0;
  /** A turn that was taken and found nothing to send. The next request needs no other one. */
  #spare = false;
  #awaiting = false;

  constructor(
    private readonly core: QueueCore,
    /** There may be turns again. */
    private readonly onTurn: () => void,
  ) {}

  get reserved(): number {
    return this.#reserved;
  }

  reserve(room: number): void {
    let left = room;
    if (this.#spare) {
      this.#spare = false;
      this.#reserved++;
      left--;
    }
    if (left === 0 || this.#awaiting) {
      return;
    }
    const turn = this.core.dispatcher.turn();
    if (turn === null) {
      this.#reserved += left;
      return;
    }
    this.#awaiting = true;
    void turn.then(() => {
      this.#awaiting = false;
      this.#reserved++;
      this.onTurn();
    });
  }

  use(): number {
    const turns = this.#reserved;
    this.#reserved = 0;
    return turns;
  }

  async claim(most: number): Promise<Claimed> {
    const { place, dispatcher } = this.core;
    const { store, account, instances } = place;
    const requests = await store.claims.claim(account, instances.id, most, "", claimGuard(this.core));
    const drained = requests.length < most;
    this.#spare ||= drained && !dispatcher.limiter.free;
    return { requests, drained };
  }

  start(requests: readonly ClaimedRequest[], begin: Begin): void {
    for (const request of requests) {
      begin(request, Number.POSITIVE_INFINITY);
    }
  }

  stop(): readonly ClaimedRequest[] {
    return [];
  }
}
