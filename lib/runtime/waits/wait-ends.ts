import type { NodeMessage } from "node-red";
import type { ReportedRecipient, ReportedWait, OpenWait, SilentWaits } from "../../store/waits/wait";
import { readReply } from "../store/event-fields";
import { PendingReplies } from "./pending-replies";
import { replyOf } from "./reply-of";
import { rowsPath, withoutOthers } from "./silent-rows";
import { WaitOutlet, type WaitParts } from "./wait-outlet";
import type { Reply, WaitEnd } from "./waits";

/** Recipients or waits of one page. */
const PAGE = 200;

/** Brings what the waits of an opened store end with to their nodes. What has left is written after it. */
export class WaitEnds {
  readonly #outlet: WaitOutlet;
  readonly #replies: PendingReplies;

  constructor(private readonly parts: WaitParts) {
    this.#outlet = new WaitOutlet(parts);
    this.#replies = new PendingReplies(parts, this.#outlet);
  }

  /**
   * Emits all that was reported.
   * @param isDue whether the time of some waits may be over
   * @returns whether it was looked for those
   * @throws StoreError
   */
  async endAll(isDue: boolean): Promise<boolean> {
    const { waits, resultOwner, mayEmit } = this.parts;
    let mayExpire = isDue;
    await this.#writeLate();
    mayExpire = (await this.#emitEarly()) || mayExpire;
    for (let isDone = false; !isDone && mayEmit(); ) {
      // A reply in time comes before the end of the time, which waits for it.
      mayExpire = (await this.#replies.readAll()) || mayExpire;
      isDone = !mayExpire || (await waits.expire(resultOwner, PAGE, this.#outlet.nodes)) < PAGE;
      // All that was reported of a wait leaves before its silent ones, which are the last.
      await this.#emitReported();
      await this.#emitSilent();
    }
    return mayExpire;
  }

  /** Emits what was there before this process had these waits, but for replies that nobody has looked at. @returns whether there were such */
  async #emitEarly(): Promise<boolean> {
    const { early } = this.parts;
    const nodes = [...early];
    if (nodes.length === 0) {
      return false;
    }
    this.#outlet.isHeldBack = false;
    await this.#emitReported();
    await this.#emitSilent();
    const hasRead = await this.#replies.readAll();
    if (!this.#outlet.isHeldBack) {
      for (const node of nodes) {
        early.delete(node);
      }
    }
    return hasRead;
  }

  /** Writes what left when the store was away. Another one may have taken its place since. @throws StoreError */
  async #writeLate(): Promise<void> {
    const { waits, live, counts } = this.parts;
    for (const { wait, places } of live.pendingWrites.values()) {
      const late = [...places];
      const known = await waits.wait(wait.id);
      if (known?.key === wait.key) {
        await waits.left(wait.id, late);
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
      if ((await this.#writeLeft()) === 0 || read < PAGE) {
        return;
      }
    }
  }

  #emitReportedOf({ wait, reported }: ReportedWait): void {
    const { live } = this.parts;
    let { left, open } = wait;
    for (const recipient of reported) {
      const hasLeft = live.pendingWrites.get(wait.key)?.places.has(recipient.place) === true;
      const listener = this.#outlet.listenerOf(wait.node);
      if (listener === null) {
        return;
      }
      if (!hasLeft) {
        live.leaves(wait, [recipient.place]);
        listener.emit({
          ...this.#outlet.endOf(wait, recipient.what, [recipient.number]),
          msg: this.#outlet.messageOf(wait, open === 1),
          status: recipient.status,
          at: recipient.at,
          reply: replyOfReported(recipient),
          sequence: sequenceOf(wait, left, open === 1),
        });
      }
      left++;
      open--;
    }
  }

  async #emitSilent(): Promise<void> {
    for (;;) {
      const page = await this.parts.waits.silent(this.parts.resultOwner, PAGE, this.#outlet.nodes);
      for (const each of page) {
        this.#emitSilentOf(each, await this.#messagesOf(each));
      }
      const read = page.reduce((sum, { waits }) => sum + waits.length, 0);
      if ((await this.#writeLeft()) === 0 || read < PAGE) {
        return;
      }
    }
  }

  /** The messages of a list of rows, of which each has its own; none where there is no row. @throws StoreError */
  async #messagesOf({ waits }: SilentWaits): Promise<readonly NodeMessage[]> {
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

  #emitSilentOf({ waits }: SilentWaits, silent: readonly NodeMessage[]): void {
    const { live } = this.parts;
    const first = waits[0]?.wait;
    if (first === undefined || waits.every(({ wait }) => live.pendingWrites.has(wait.key))) {
      return;
    }
    const listener = this.#outlet.listenerOf(first.node);
    if (listener === null) {
      return;
    }
    const isLast = first.open === waits[0]?.places.length;
    const msg = this.#outlet.messageOf(first, isLast);
    for (const { wait, places } of waits) {
      live.leaves(wait, places);
      live.forgetMessage(wait.key);
    }
    const wrote = waits.flatMap((each) => each.wrote);
    listener.emit({
      ...this.#outlet.endOf(
        first,
        "silent",
        waits.flatMap(({ numbers }) => numbers),
      ),
      msg,
      silent,
      at: Math.max(...waits.map(({ wait }) => wait.until)),
      replaced: waits.some(({ replaced }) => replaced),
      ...(wrote.length > 0 && { wrote }),
      restored: waits.some(({ wait }) => this.#outlet.isRestored(wait)),
      sequence: sequenceOf(first, first.left, isLast),
    });
  }

  /** Writes what has left. @returns how many recipients @throws StoreError */
  async #writeLeft(): Promise<number> {
    const { waits, live, counts } = this.parts;
    let written = 0;
    const writes = [...live.pendingWrites.values()].map(async ({ wait, places }) => {
      const left = [...places];
      await waits.left(wait.id, left);
      live.written(wait, left);
      counts.add(wait.node, -left.length);
      written += left.length;
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
