import { groupBy } from "../../shared/group-by";
import type { OpenWait, PendingReply } from "../../store/waits/wait";
import { replyOf } from "./reply-of";
import type { WaitOutlet, WaitParts } from "./wait-outlet";
import type { Reply, WaitListener } from "./waits";

const PAGE = 200;

/** Reads pending replies: a matched one ends its wait. Others end it too, are emitted, or are deferred. */
export class PendingReplies {
  constructor(
    private readonly parts: WaitParts,
    private readonly outlet: WaitOutlet,
  ) {}

  /** @returns whether there were any @throws StoreError */
  async readAll(): Promise<boolean> {
    const ended = new Set<string>();
    for (let hasRead = false; ; ) {
      const page = await this.parts.waits.replies(this.parts.resultOwner, PAGE, this.outlet.nodes);
      const read = await this.#readPage(page, ended);
      hasRead ||= read > 0;
      if (page.length < PAGE || read === 0) {
        return hasRead;
      }
    }
  }

  /** Reads replies of several recipients at once, because they share commits. @returns how many */
  async #readPage(page: readonly PendingReply[], ended: Set<string>): Promise<number> {
    const byRecipient = groupBy(page, ({ wait, index }) => `${wait} ${index}`);
    const reading = [...byRecipient].map(([name, replies]) => this.#readEach(name, replies, ended));
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
  async #readEach(recipient: string, replies: readonly PendingReply[], ended: Set<string>): Promise<number> {
    const { waits, live } = this.parts;
    for (const [at, pending] of replies.entries()) {
      const listener = this.outlet.listenerOf(pending.node);
      if (listener === null) {
        return at;
      }
      const reply = replyOf(pending.number, pending.channel, pending.body, pending.at);
      // An emitted reply stays unmatched, whatever the settings match now.
      if (live.hasEmittedReply(pending)) {
        if (!(await this.#passOut(pending, reply, listener))) {
          return at;
        }
        continue;
      }
      // Replies after the end stay unused.
      const isMeant = !pending.isOpen || ended.has(recipient) || listener.matches(reply);
      if (isMeant || listener.others === "over") {
        await waits.endByReply(pending, isMeant ? "matched" : "unmatched");
        ended.add(recipient);
      } else if (listener.others === "later") {
        await waits.passReply(pending, true);
      } else if (!(await this.#passOut(pending, reply, listener))) {
        return at;
      }
    }
    return replies.length;
  }

  /** @returns false if its node may not emit now */
  async #passOut(pending: PendingReply, reply: Reply, listener: WaitListener): Promise<boolean> {
    const { waits, live } = this.parts;
    const [wait] = await waits.some([pending.wait]);
    if (wait !== undefined) {
      // The successor of the node may have other settings.
      if (this.outlet.listenerOf(wait.node) !== listener) {
        return false;
      }
      this.#emit(wait, pending, reply, listener);
    }
    // An emitted reply belongs to no later wait.
    await waits.passReply(pending, wait === undefined && !live.hasEmittedReply(pending));
    live.replyWritten(pending);
    return true;
  }

  #emit(wait: OpenWait, pending: PendingReply, reply: Reply, listener: WaitListener): void {
    if (this.parts.live.emittingReply(pending)) {
      listener.emit({
        ...this.outlet.endOf(wait, "unmatched", [pending.number]),
        msg: this.outlet.messageOf(wait, false),
        at: pending.at,
        reply,
        goesOn: true,
        sequence: null,
      });
    }
  }
}
