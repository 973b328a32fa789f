import type { Instances } from "../../store/instances";
import type { ClaimedRequest } from "../../store/requests";

/** What queues of one account have in common that follow each other in a process: both are the same owner to the store. */
export interface QueueOwner {
  /** Requests that the process has claimed and not settled, by their last claim. */
  readonly held: Map<number, ClaimedRequest>;
  /** A claim failed that may have happened all the same. */
  uncertain: boolean;
  /** Resolves when the queue before has no claim and no release under way. */
  quiet: Promise<void>;
}

const owners = new WeakMap<Instances, Map<string, QueueOwner>>();

/** The same object for every queue of the account in this life of the process. */
export function queueOwner(instances: Instances, account: string): QueueOwner {
  const byAccount = owners.get(instances) ?? new Map<string, QueueOwner>();
  owners.set(instances, byAccount);
  const owner = byAccount.get(account) ?? {
    held: new Map<number, ClaimedRequest>(),
    uncertain: false,
    quiet: Promise.resolve(),
  };
  byAccount.set(account, owner);
  return owner;
}
