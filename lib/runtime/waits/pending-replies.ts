import type { OpenWait, PendingReply } from "../../store/waits/wait";
import { replyOf } from "./reply-of";
import type { WaitOutlet, WaitParts } from "./wait-outlet";
import type { Reply, WaitListener } from "./waits";

/** Replies of one page. */
const PAGE = 200;

/** Replies that waits have to look at: the one that is waited for ends its wait. Others do so too, or leave while it goes on, or stay for later. */
export class PendingReplies {
  constructor(
    private readonly parts: WaitParts,
    private readonly outlet: WaitOutlet,
  ) {}

  /** @returns whether there were any @throws StoreError */
  async readAll(): Promise<boolean> {
    /** Recipients whose wait one of these replies has ended. */
    const answered = new Set<string>();
    for (let hasRead = false; ; ) {
      const page = await this.parts.waits.replies(this.parts.resultOwner, PAGE, this.outlet.nodes);
      const read = await this.#readPage(page, answered);
      hasRead ||= read > 0;
      if (page.length < PAGE || read === 0) {
        return hasRead;
      }
    }
  }

  /** Those of one recipient in their order, those of different ones at once, since they share commits. @returns how many were read */
  async #readPage(page: readonly PendingReply[], answered: Set<string>): Promise<number> {
    const byRecipient = new Map<string, PendingReply[]>();
    for (const reply of page) {
      const name = `${reply.wait} ${reply.place}`;
      const replies = byRecipient.get(name) ?? [];
      replies.push(reply);
      byRecipient.set(name, replies);
    }
    const reading = [...byRecipient].map(([name, replies]) => this.#readEach(name, replies, answered));
    let read = 0;
    for (const each of await Promise.allSettled(reading)) {
      if (each.status === "rejected") {
        throw each.reason;
      }
      read += each.value;
    }
    return read;
  }

  /** @returns how many were read */
  async #readEach(
    recipient: string,
    replies: readonly PendingReply[],
    answered: Set<string>,
  ): Promise<number> {
    const { waits, live } = this.parts;
    for (const [at, pending] of replies.entries()) {
      const listener = this.outlet.listenerOf(pending.node);
      if (listener === null) {
        return at;
      }
      const reply = replyOf(pending.number, pending.channel, pending.body, pending.at);
      // What has left as another reply stays one, whatever it would be taken for now.
      if (live.hasReplyLeft(pending)) {
        if (!(await this.#passOut(pending, reply, listener))) {
          return at;
        }
        continue;
      }
      // What comes after the answer is nobody's.
      const isMeant = !pending.isOpen || answered.has(recipient) || listener.matches(reply);
      if (isMeant || listener.others === "over") {
        await waits.answered(pending, isMeant ? "happened" : "other");
        answered.add(recipient);
      } else if (listener.others === "later") {
        await waits.passed(pending, true);
      } else if (!(await this.#passOut(pending, reply, listener))) {
        return at;
      }
    }
    return replies.length;
  }

  /** @returns whether it has left */
  async #passOut(pending: PendingReply, reply: Reply, listener: WaitListener): Promise<boolean> {
    const { waits, live } = this.parts;
    const wait = await waits.wait(pending.wait);
    if (wait !== null) {
      // Its successor may do something else with it.
      if (this.outlet.listenerOf(wait.node) !== listener) {
        return false;
      }
      this.#emit(wait, pending, reply, listener);
    }
    // One that has left belongs to no later wait.
    await waits.passed(pending, wait === null && !live.hasReplyLeft(pending));
    live.replyWritten(pending);
    return true;
  }

  #emit(wait: OpenWait, pending: PendingReply, reply: Reply, listener: WaitListener): void {
    if (this.parts.live.replyLeaves(pending)) {
      listener.emit({
        ...this.outlet.endOf(wait, "other", [pending.number]),
        msg: this.outlet.messageOf(wait, false),
        at: pending.at,
        reply,
        goesOn: true,
        sequence: null,
      });
    }
  }
}
