import { localVerdict } from "../../../gateway/codec/verdict";
import { answerOf } from "../../../gateway/queue/stored-content";
import type { QUEUE_ACTIONS, QueueChange, STRANDED_ACTIONS } from "../../../shared/history/history";
import type { Cancelled } from "../../../store/jobs/cancel-requests";
import { Gone } from "./history-view";
import type { AccountStore } from "../open-store";
import { findJob, type SendNodes } from "./queue-view";

/** The job has a node, so a user must not decide. */
export class HasNode extends Error {}

export function cancelledResult(): Cancelled {
  const verdict = localVerdict("CANCELLED");
  return { outcome: verdict.outcome, answer: answerOf("", verdict, false) };
}

/** @throws StoreError */
export async function cancelQueue({ store, account }: AccountStore): Promise<QueueChange> {
  return { requests: await store.queue.cancelAccount(account, cancelledResult()) };
}

/** @throws StoreError, Gone */
export async function changeJob(
  account: AccountStore,
  nodes: SendNodes,
  action: (typeof QUEUE_ACTIONS)[number],
  job: number,
): Promise<QueueChange> {
  const { store, account: id, destination } = account;
  const found = await findJob(account, nodes, job);
  if (found === null) {
    throw new Gone();
  }
  switch (action) {
    case "use-address":
      return {
        requests:
          found.elsewhere === "address" && destination !== ""
            ? await store.queue.redirectJob(job, id, destination)
            : 0,
      };
    case "pause":
      return { requests: await store.queue.holdJob(job) };
    case "resume":
      return { requests: await store.queue.resumeJob(job, id) };
    case "cancel":
      return { requests: await store.queue.cancelJob(job, cancelledResult()) };
  }
}

/** @throws StoreError, Gone, HasNode */
export async function decideStranded(
  account: AccountStore,
  nodes: SendNodes,
  action: (typeof STRANDED_ACTIONS)[number],
  job: number,
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
    : { requests: await queue.discardJob(job, cancelledResult()) };
}
