import type { NodeMessage } from "node-red";
import type { ReportedRecipient, ReportedWait, OpenWait, TimedOutWaits } from "../../store/waits/wait";
import { readReply } from "../store/event-fields";
import { PendingReplies } from "./pending-replies";
import { replyOf } from "./reply-of";
import { rowsPath, withoutOthers } from "./list-rows";
import { WaitOutlet, type WaitParts } from "./wait-outlet";
import type { Reply, WaitEnd } from "./waits";

const PAGE = 200;

/** Emits the ends of waits. An end is written to the store after it was emitted. */
export class WaitEnds {
  readonly #outlet: WaitOutlet;
  readonly #replies: PendingReplies;

  constructor(private readonly parts: WaitParts) {
    this.#outlet = new WaitOutlet(parts);
    this.#replies = new PendingReplies(parts, this.#outlet);
  }

  /**
   * Emits all ends.
   * @param isDue true if waits may have expired
   * @returns true if it searched for expired waits
   * @throws StoreError
   */
  async endAll(isDue: boolean): Promise<boolean> {
    const { waits, resultOwner, mayEmit } = this.parts;
    let mayExpire = isDue;
    await this.#writeLate();
    mayExpire = (await this.#emitEarly()) || mayExpire;
    for (let isDone = false; !isDone && mayEmit(); ) {
      // A wait with a pending reply expires only after it.
      mayExpire = (await this.#replies.readAll()) || mayExpire;
      isDone = !mayExpire || (await waits.expire(resultOwner, PAGE, this.#outlet.nodes)) < PAGE;
      // The timed out recipients of a wait are its last end.
      await this.#emitReported();
      await this.#emitTimedOut();
    }
    return mayExpire;
  }

  /** Emits ends from before this process had these waits. @returns true if there were pending replies */
  async #emitEarly(): Promise<boolean> {
    const { early } = this.parts;
    const nodes = [...early];
    if (nodes.length === 0) {
      return false;
    }
    this.#outlet.isHeldBack = false;
    await this.#emitReported();
    await this.#emitTimedOut();
    const hasRead = await this.#replies.readAll();
    if (!this.#outlet.isHeldBack) {
      for (const node of nodes) {
        early.delete(node);
      }
    }
    return hasRead;
  }

  /** Writes ends that were emitted while the store failed. Another store may have replaced it. @throws StoreError */
  async #writeLate(): Promise<void> {
    const { waits, live, counts } = this.parts;
    for (const { wait, indexes } of live.pendingWrites.values()) {
      const late = [...indexes];
      const [known] = await waits.some([wait.id]);
      if (known?.key === wait.key) {
        await waits.emitted(wait.id, late);
      }
      live.written(wait, late);
      counts.add(wait.node, -late.length);
    }
  }

  async #emitReported(): Promise<void> {
    for (;;) {
      const page = await this.parts.waits.reported(this.parts.resultOwner, PAGE, this.#outlet.nodes);
      for (const each of page) {
        this.#emitReportedOf(each);
      }
      const read = page.reduce((sum, { reported }) => sum + reported.length, 0);
      if ((await this.#writeEmitted()) === 0 || read < PAGE) {
        return;
      }
    }
  }

  #emitReportedOf({ wait, reported }: ReportedWait): void {
    const { live } = this.parts;
    let { emitted, open } = wait;
    for (const recipient of reported) {
      const isEmitted = live.pendingWrites.get(wait.key)?.indexes.has(recipient.index) === true;
      const listener = this.#outlet.listenerOf(wait.node);
      if (listener === null) {
        return;
      }
      if (!isEmitted) {
        live.emitting(wait, [recipient.index]);
        listener.emit({
          ...this.#outlet.endOf(wait, recipient.outcome, [recipient.number]),
          msg: this.#outlet.messageOf(wait, open === 1),
          status: recipient.status,
          at: recipient.at,
          reply: replyOfReported(recipient),
          sequence: sequenceOf(wait, emitted, open === 1),
        });
      }
      emitted++;
      open--;
    }
  }

  async #emitTimedOut(): Promise<void> {
    for (;;) {
      const page = await this.parts.waits.timedOut(this.parts.resultOwner, PAGE, this.#outlet.nodes);
      for (const each of page) {
        this.#emitTimedOutOf(each, await this.#messagesOf(each));
      }
      const read = page.reduce((sum, { waits }) => sum + waits.length, 0);
      if ((await this.#writeEmitted()) === 0 || read < PAGE) {
        return;
      }
    }
  }

  /** Reads the messages of a list of rows, one for each row. @throws StoreError */
  async #messagesOf({ waits }: TimedOutWaits): Promise<readonly NodeMessage[]> {
    const [first] = waits;
    if (first === undefined || rowsPath(this.#outlet.shownMessage(first.wait)) === null) {
      return [];
    }
    const messages: NodeMessage[] = [];
    for (let at = 0; at < waits.length; at += PAGE) {
      const ids = waits.slice(at, at + PAGE).map(({ wait }) => wait.id);
      const page = await this.parts.waits.some(ids);
      messages.push(...page.map((wait) => withoutOthers(this.#outlet.shownMessage(wait))));
    }
    return messages;
  }

  #emitTimedOutOf({ waits }: TimedOutWaits, timedOut: readonly NodeMessage[]): void {
    const { live } = this.parts;
    const first = waits[0]?.wait;
    if (first === undefined || waits.every(({ wait }) => live.pendingWrites.has(wait.key))) {
      return;
    }
    const listener = this.#outlet.listenerOf(first.node);
    if (listener === null) {
      return;
    }
    const isLast = first.open === waits[0]?.indexes.length;
    const msg = this.#outlet.messageOf(first, isLast);
    for (const { wait, indexes } of waits) {
      live.emitting(wait, indexes);
      live.deleteMessage(wait.key);
    }
    const wrote = waits.flatMap(({ replied }) => replied);
    listener.emit({
      ...this.#outlet.endOf(
        first,
        "timed_out",
        waits.flatMap(({ numbers }) => numbers),
      ),
      msg,
      timedOut,
      at: Math.max(...waits.map(({ wait }) => wait.until)),
      replaced: waits.some(({ replaced }) => replaced),
      ...(wrote.length > 0 && { wrote }),
      restored: waits.some(({ wait }) => this.#outlet.isRestored(wait)),
      sequence: sequenceOf(first, first.emitted, isLast),
    });
  }

  /** Writes emitted ends. @returns how many recipients @throws StoreError */
  async #writeEmitted(): Promise<number> {
    const { waits, live, counts } = this.parts;
    let written = 0;
    const writes = [...live.pendingWrites.values()].map(async ({ wait, indexes }) => {
      const emitted = [...indexes];
      await waits.emitted(wait.id, emitted);
      live.written(wait, emitted);
      counts.add(wait.node, -emitted.length);
      written += emitted.length;
    });
    const failed = (await Promise.allSettled(writes)).find(({ status }) => status === "rejected");
    if (failed !== undefined) {
      throw (failed as PromiseRejectedResult).reason;
    }
    return written;
  }
}

function replyOfReported({ number, reply, at }: ReportedRecipient): Reply | null {
  if (reply === null) {
    return null;
  }
  const channel = readReply("inbound", JSON.parse(reply))?.channel ?? "sms";
  return replyOf(number, channel, reply, at);
}

function sequenceOf({ key, recipients }: OpenWait, index: number, isLast: boolean): WaitEnd["sequence"] {
  return recipients > 1 ? { id: key, index, count: isLast ? index + 1 : null } : null;
}
