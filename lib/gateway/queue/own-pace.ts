import type { ClaimedRequest, RequestClaims } from "../../store/request-claims";
import type { Begin, Claimed, Pace, PacedQueue } from "./pace";
import type { StoredLane } from "./queue-handle";

/** The pace of a process that has its store alone: turns are those of the process, taken before requests are claimed. */
export class OwnPace implements Pace {
  readonly waiting = 0;
  #reserved = 0;
  /** A turn that was taken and found nothing to send. The next request needs no other one. */
  #spare = false;
  #awaiting = false;

  constructor(
    private readonly lane: StoredLane,
    private readonly claims: RequestClaims,
    private readonly queue: PacedQueue,
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
    const turn = this.lane.turn();
    if (turn === null) {
      this.#reserved += left;
      return;
    }
    this.#awaiting = true;
    void turn.then(() => {
      this.#awaiting = false;
      this.#reserved++;
      this.queue.onTurn();
    });
  }

  use(): number {
    const turns = this.#reserved;
    this.#reserved = 0;
    return turns;
  }

  async claim(most: number): Promise<Claimed> {
    const { account, owner } = this.queue;
    const requests = await this.claims.claim(account, owner, most, "", this.queue.guard());
    const drained = requests.length < most;
    this.#spare ||= drained && !this.lane.free;
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
