import type { Instances } from "../../../store/instances";
import type { ClaimedRequest } from "../../../store/request-claims";
import type { Verdict } from "../../codec/verdict";
import type { StoredWaiter } from "../queue-handle";

/** What a leaving request tells its queue. */
export interface LeavingListener {
  onVerdict(request: ClaimedRequest, verdict: Verdict): void;
  putBack(request: ClaimedRequest, delay: number, attempts: number): void;
  /** One of the requests that the dispatcher had has ended. */
  ended(): void;
}

/** ms for which a request is put back at least while this process may not send. */
const RETRY = 1_000;

/** A request that this process has claimed, and that its dispatcher has. */
export class LeavingRequest implements StoredWaiter {
  constructor(
    private readonly queue: LeavingListener,
    private readonly instances: Instances,
    private readonly request: ClaimedRequest,
    /** Moment of `performance.now` after which it is claimed anew: it may have waited for a token, or for a connection. */
    private readonly latest: number,
  ) {}

  mayLeave(): boolean {
    return this.instances.mayLeave && performance.now() <= this.latest;
  }

  onVerdict(verdict: Verdict): void {
    this.queue.onVerdict(this.request, verdict);
    this.queue.ended();
  }

  putBack(delay: number, attempts: number): void {
    // A process that may not send now would claim it again at once.
    this.queue.putBack(this.request, this.instances.mayLeave ? delay : Math.max(delay, RETRY), attempts);
    this.queue.ended();
  }
}
