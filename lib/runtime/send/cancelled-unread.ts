import type { NodeMessage } from "node-red";
import type { Part } from "./parts/message-parts";
import type { CancelRequest } from "./read-cancel";
import type { SendJob } from "./jobs/send-job";

/** Matches the client message id of the part or of its message, or the idempotency key. */
const isMeant = (job: SendJob, part: Part, { keys }: CancelRequest): boolean =>
  keys === null ||
  keys.some((key) => key === job.clientMessageId || key === job.idOf(part) || key === part.rules.once?.key);

/** By message, so that they survive a handover to another node. */
const cancelsOfUnread = new WeakMap<NodeMessage, readonly CancelRequest[]>();
/** False in most flows, which then skip every lookup. */
let isUsed = false;
const nothing = (): boolean => false;

export function cancelUnread(msg: NodeMessage, requests: readonly CancelRequest[]): void {
  isUsed = true;
  cancelsOfUnread.set(msg, [...(cancelsOfUnread.get(msg) ?? []), ...requests]);
}

/** Called for an invalid message, because the flow may send the same object again. */
export function forgetCancels(msg: NodeMessage): void {
  cancelsOfUnread.delete(msg);
}

/** Consumes the cancels of a message, because the flow may send the same object again. */
export function takeCancels(job: SendJob): (part: Part) => boolean {
  const requests = isUsed ? cancelsOfUnread.get(job.msg) : undefined;
  if (requests === undefined) {
    return nothing;
  }
  cancelsOfUnread.delete(job.msg);
  return (part) => part.fault === null && requests.some((request) => isMeant(job, part, request));
}
