import type { ClaimedRequest } from "../../../store/jobs/request-claims";

/** What this process has claimed of an account. Queues that follow each other in a process share it: to the store they are one owner. */
export class Claims {
  /** Requests that the process has claimed and not settled, by their last claim. */
  readonly requests = new Map<number, ClaimedRequest>();
  /** A claim failed that may have happened all the same. */
  uncertain = false;
  /** Resolves when the queue before has no claim and no release under way. */
  quiet: Promise<void> = Promise.resolve();
}
