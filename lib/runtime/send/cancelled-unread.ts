import type { NodeMessage } from "node-red";
import type { Part } from "./parts/message-parts";
import type { CancelRequest } from "./read-cancel";
import type { SendJob } from "./jobs/send-job";

/** Whether a message cancels a part: by the client message id of the part or of its message, or by its once key. */
const isMeant = (job: SendJob, part: Part, { keys }: CancelRequest): boolean =>
  keys === null ||
  keys.some((key) => key === job.clientMessageId || key === job.idOf(part) || key === part.rules.once?.key);

/** What cancels messages that nobody had read then. They keep it when a deploy hands them to another node. */
const cancelsOfUnread = new WeakMap<NodeMessage, readonly CancelRequest[]>();
/** Whether any message was ever cancelled so: most flows never do, and then nothing is looked up. */
let isUsed = false;
const nothing = (): boolean => false;

/** Notes what cancels a message before it is read. */
export function cancelUnread(msg: NodeMessage, requests: readonly CancelRequest[]): void {
  isUsed = true;
  cancelsOfUnread.set(msg, [...(cancelsOfUnread.get(msg) ?? []), ...requests]);
}

/** Forgets what cancels a message that turns out to be wrong: the flow may send the same object again. */
export function forgetCancels(msg: NodeMessage): void {
  cancelsOfUnread.delete(msg);
}

/**
 * What was cancelled of a message before it was read. Asked once: the flow may send the same object again.
 * @returns whether a part of it was
 */
export function takeCancels(job: SendJob): (part: Part) => boolean {
  const requests = isUsed ? cancelsOfUnread.get(job.msg) : undefined;
  if (requests === undefined) {
    return nothing;
  }
  cancelsOfUnread.delete(job.msg);
  return (part) => part.fault === null && requests.some((request) => isMeant(job, part, request));
}
