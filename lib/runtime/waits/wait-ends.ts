import type { NodeMessage } from "node-red";
import type { HeardRecipient, HeardWait, OpenWait, PendingReply, SilentWaits } from "../../store/waits/wait";
import type { WaitStore } from "../../store/waits/wait";
import { readReply } from "../store/read-reply";
import type { LiveWaits } from "./live-waits";
import type { OpenCounts } from "./open-counts";
import { replyOf } from "./reply-of";
import { copyMessage, readMessage } from "./wait-message";
import type { Reply, WaitEnd, WaitListener } from "./waits";

/** Recipients or waits of one page. */
const PAGE = 200;

/** What ends are made from and where they go. */
export interface WaitEndsParts {
  readonly waits: WaitStore;
  /** This process in the store. */
  readonly taker: string;
  readonly live: LiveWaits;
  readonly listeners: ReadonlyMap<string, WaitListener>;
  readonly counts: OpenCounts;
  /** Whether anything may leave a node now. */
  readonly mayEmit: () => boolean;
  /** Whether an end of the wait may have left before, of another process. */
  readonly isRestored: (wait: OpenWait) => boolean;
}

/** Brings what the waits of an opened store end with to their nodes. What has left is written after it. */
export class WaitEnds {
  constructor(private readonly parts: WaitEndsParts) {}

  get #nodes(): readonly string[] {
    return [...this.parts.listeners.keys()];
  }

  /**
   * Emits all that was heard.
   * @param isDue whether the time of some waits may be over
   * @returns whether it was looked for those
   * @throws StoreError
   */
  async endAll(isDue: boolean): Promise<boolean> {
    const { waits, taker, mayEmit } = this.parts;
    let mayExpire = isDue;
    await this.#writeLate();
    for (let isDone = false; !isDone && mayEmit(); ) {
      // A reply in time comes before the end of the time, which waits for it.
      mayExpire = (await this.#readReplies()) || mayExpire;
      isDone = !mayExpire || (await waits.expire(taker, PAGE, this.#nodes)) < PAGE;
      // All that was heard of a wait leaves before its silent ones, which are the last.
      await this.#emitHeard();
      await this.#emitSilent();
    }
    return mayExpire;
  }

  /** Writes what left when the store was away. Another one may have taken its place since. @throws StoreError */
  async #writeLate(): Promise<void> {
    const { waits, live } = this.parts;
    for (const { wait, places } of live.unwritten.values()) {
      const late = [...places];
      const known = await waits.wait(wait.id);
      if (known?.key === wait.key) {
        await waits.left(wait.id, late);
      }
      live.written(wait, late);
    }
  }

  /** @returns whether there were any */
  async #readReplies(): Promise<boolean> {
    for (let hasRead = false; ; ) {
      const page = await this.parts.waits.replies(this.parts.taker, PAGE, this.#nodes);
      const byRecipient = new Map<string, PendingReply[]>();
      for (const reply of page) {
        const name = `${reply.wait} ${reply.place}`;
        byRecipient.set(name, [...(byRecipient.get(name) ?? []), reply]);
      }
      // Those of one recipient in their order, those of different ones share commits.
      const read = await Promise.allSettled(
        [...byRecipient.values()].map((replies) => this.#readEach(replies)),
      );
      const failed = read.find(({ status }) => status === "rejected");
      if (failed !== undefined) {
        throw (failed as PromiseRejectedResult).reason;
      }
      const isStuck = read.every((each) => (each as PromiseFulfilledResult<number>).value === 0);
      hasRead ||= !isStuck;
      if (page.length < PAGE || isStuck) {
        return hasRead;
      }
    }
  }

  /** @returns how many were read */
  async #readEach(replies: readonly PendingReply[]): Promise<number> {
    const { waits, listeners, live } = this.parts;
    for (const [at, pending] of replies.entries()) {
      const listener = listeners.get(pending.node);
      if (listener === undefined || !this.parts.mayEmit()) {
        return at;
      }
      const reply = replyOf(pending.number, pending.channel, pending.body, pending.at);
      if (listener.matches(reply)) {
        await waits.answered(pending);
      } else if (listener.others === "later") {
        await waits.passed(pending, true);
      } else {
        const wait = await waits.wait(pending.wait);
        if (wait === null || this.#emitOther(wait, pending, reply)) {
          await waits.passed(pending, wait === null);
          live.replyWritten(pending);
        } else {
          return at;
        }
      }
    }
    return replies.length;
  }

  /** @returns whether it has left */
  #emitOther(wait: OpenWait, pending: PendingReply, reply: Reply): boolean {
    const { listeners, live, mayEmit } = this.parts;
    const listener = listeners.get(wait.node);
    if (listener === undefined || !mayEmit()) {
      return false;
    }
    if (live.replyLeaves(pending)) {
      listener.emit({
        ...this.#endOf(wait, "other", [pending.number]),
        msg: this.#messageOf(wait, false),
        at: pending.at,
        reply,
        sequence: null,
      });
    }
    return true;
  }

  async #emitHeard(): Promise<void> {
    for (;;) {
      const page = await this.parts.waits.heard(this.parts.taker, PAGE, this.#nodes);
      for (const each of page) {
        this.#emitHeardOf(each);
      }
      const read = page.reduce((sum, { heard }) => sum + heard.length, 0);
      if ((await this.#writeLeft()) === 0 || read < PAGE) {
        return;
      }
    }
  }

  #emitHeardOf({ wait, heard }: HeardWait): void {
    const { listeners, live, mayEmit } = this.parts;
    const listener = listeners.get(wait.node);
    let { left, open } = wait;
    for (const recipient of heard) {
      const hasLeft = live.unwritten.get(wait.key)?.places.has(recipient.place) === true;
      if (listener === undefined || !mayEmit()) {
        return;
      }
      if (!hasLeft) {
        live.leaves(wait, [recipient.place]);
        listener.emit({
          ...this.#endOf(wait, recipient.what, [recipient.number]),
          msg: this.#messageOf(wait, open === 1),
          status: recipient.status,
          at: recipient.at,
          reply: replyOfHeard(recipient),
          sequence: sequenceOf(wait, left, open === 1),
        });
      }
      left++;
      open--;
    }
  }

  async #emitSilent(): Promise<void> {
    for (;;) {
      const page = await this.parts.waits.silent(this.parts.taker, PAGE, this.#nodes);
      for (const each of page) {
        this.#emitSilentOf(each);
      }
      const read = page.reduce((sum, { waits }) => sum + waits.length, 0);
      if ((await this.#writeLeft()) === 0 || read < PAGE) {
        return;
      }
    }
  }

  #emitSilentOf({ waits }: SilentWaits): void {
    const { listeners, live, mayEmit, isRestored } = this.parts;
    const first = waits[0]?.wait;
    const listener = first === undefined ? undefined : listeners.get(first.node);
    const silent = waits.filter(({ wait }) => !live.unwritten.has(wait.key));
    if (first === undefined || listener === undefined || silent.length === 0 || !mayEmit()) {
      return;
    }
    const isLast = first.open === waits[0]?.places.length;
    const msg = this.#messageOf(first, isLast);
    for (const { wait, places } of waits) {
      live.leaves(wait, places);
      live.forgetMessage(wait.key);
    }
    listener.emit({
      ...this.#endOf(
        first,
        "silent",
        waits.flatMap(({ numbers }) => numbers),
      ),
      msg,
      at: Math.max(...waits.map(({ wait }) => wait.until)),
      replaced: waits.some(({ replaced }) => replaced),
      restored: waits.some(({ wait }) => isRestored(wait)),
      sequence: sequenceOf(first, first.left, isLast),
    });
  }

  /** Writes what has left. @returns how many recipients @throws StoreError */
  async #writeLeft(): Promise<number> {
    const { waits, live, counts } = this.parts;
    let written = 0;
    const writes = [...live.unwritten.values()].map(async ({ wait, places }) => {
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

  /** @param isLast whether nothing else leaves of the wait */
  #messageOf({ key, snapshot }: OpenWait, isLast: boolean): NodeMessage {
    const { live } = this.parts;
    const message = live.message(key);
    if (message === undefined) {
      return readMessage(snapshot);
    }
    if (!isLast) {
      return copyMessage(message);
    }
    live.forgetMessage(key);
    return message;
  }

  #endOf(wait: OpenWait, what: WaitEnd["what"], recipients: readonly string[]) {
    const { kind } = wait;
    const restored = this.parts.isRestored(wait);
    return { what, recipients, kind, status: null, reply: null, replaced: false, restored };
  }
}

function replyOfHeard({ number, reply, at }: HeardRecipient): Reply | null {
  if (reply === null) {
    return null;
  }
  const channel = readReply("inbound", JSON.parse(reply))?.channel ?? "sms";
  return replyOf(number, channel, reply, at);
}

function sequenceOf({ key, recipients }: OpenWait, index: number, isLast: boolean): WaitEnd["sequence"] {
  return recipients > 1 ? { id: key, index, count: isLast ? index + 1 : null } : null;
}
