import { localVerdict } from "../../../gateway/codec/verdict";
import { answerOf } from "../../../gateway/queue/stored-content";
import type { QUEUE_ACTIONS, QueueChange, STRANDED_ACTIONS } from "../../../shared/history";
import type { Cancelled } from "../../../store/queue-control";
import { Gone } from "./history-view";
import type { AccountStore } from "../open-store";
import { findJob, type SendNodes } from "./queue-view";

/** The job has a node, so it is not for a person to decide. */
export class HasNode extends Error {}

/** The result of a request that a person cancelled, as the store keeps results. */
export function cancelledResult(simulated: boolean): Cancelled {
  const verdict = localVerdict("CANCELLED");
  return { outcome: verdict.outcome, answer: answerOf(verdict, false, simulated) };
}

/**
 * Pauses, resumes or cancels an account's queue, or one job of it.
 * @throws StoreError, Gone
 */
export async function changeQueue(
  account: AccountStore,
  nodes: SendNodes,
  action: (typeof QUEUE_ACTIONS)[number],
  job: number | undefined,
  simulated: boolean,
): Promise<QueueChange> {
  const { store, account: id } = account;
  if (job === undefined) {
    switch (action) {
      case "pause":
        await store.queue.pause(id);
        return { requests: 0 };
      case "resume":
        await store.queue.resume(id);
        return { requests: 0 };
      case "cancel":
        return { requests: await store.queue.cancelAccount(id, cancelledResult(simulated)) };
    }
  }
  if ((await findJob(account, nodes, job)) === null) {
    throw new Gone();
  }
  switch (action) {
    case "pause":
      return { requests: await store.queue.holdJob(job) };
    case "resume":
      return { requests: await store.queue.resumeJob(job, id) };
    case "cancel":
      return { requests: await store.queue.cancelJob(job, cancelledResult(simulated)) };
  }
}

/** Sends or discards a job whose node is gone. @throws StoreError, Gone, HasNode */
export async function decideStranded(
  account: AccountStore,
  nodes: SendNodes,
  action: (typeof STRANDED_ACTIONS)[number],
  job: number,
  simulated: boolean,
): Promise<QueueChange> {
  const found = await findJob(account, nodes, job);
  if (found === null) {
    throw new Gone();
  }
  if (!found.stranded) {
    throw new HasNode();
  }
  const { queue } = account.store;
  return action === "send"
    ? { requests: await queue.releaseJob(job, account.account) }
    : { requests: await queue.discardJob(job, cancelledResult(simulated)) };
}
