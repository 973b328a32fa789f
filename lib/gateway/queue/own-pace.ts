import type { ClaimedRequest } from "../../store/request-claims";
import type { Begin, Claimed, Pace } from "./pace";
import { claimGuard, type QueueCore } from "./stored/stored-messages";

/** The pace of a process that has its store alone: turns are those of the process, taken before requests are claimed. */
export class OwnPace implements Pace {
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
    const turn = this.core.lane.turn();
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
    const { place, lane } = this.core;
    const { store, account, instances } = place;
    const requests = await store.claims.claim(account, instances.id, most, "", claimGuard(this.core));
    const drained = requests.length < most;
    this.#spare ||= drained && !lane.limiter.free;
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
