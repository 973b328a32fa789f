import type { NodeMessage } from "node-red";
import type { OpenWait, PendingReply } from "../../store/waits/wait";

const MAX_MESSAGES = 1_000;

/** Emitted ends that are not written to the store. */
export interface PendingEnds {
  readonly wait: OpenWait;
  readonly indexes: Set<number>;
}

/** Another file in place of the store gives an id to another reply. */
const nameOf = ({ id, number, receivedAt }: PendingReply): string => `${id} ${number} ${receivedAt}`;

/** Waits of an account in the memory of this process. Outlives a deploy. */
export class LiveWaits {
  static readonly #byAccount = new Map<string, LiveWaits>();

  static of(account: string): LiveWaits {
    const known = LiveWaits.#byAccount.get(account) ?? new LiveWaits();
    LiveWaits.#byAccount.set(account, known);
    return known;
  }

  /** By key of the wait: not emitted again by this process. */
  readonly pendingWrites = new Map<string, PendingEnds>();
  /** A wait may start after its own account has closed, while the one of the next deploy runs. */
  readonly keepers = new Set<{ started(wait: OpenWait): void }>();
  /** All ids of this process in stores: the keys of its own waits start with one of them. */
  readonly instanceIds = new Set<string>();
  /** Messages that the store has only in part, by key of the wait. */
  readonly #messages = new Map<string, NodeMessage>();
  /** Emitted unmatched replies that are not written to the store. */
  readonly #unwrittenReplies = new Set<string>();

  private constructor() {}

  /** Stores a message until `deleteMessage`, or until there are too many newer ones. */
  storeMessage(key: string, msg: NodeMessage): void {
    this.#messages.set(key, msg);
    if (this.#messages.size > MAX_MESSAGES) {
      const [oldest = ""] = this.#messages.keys();
      this.#messages.delete(oldest);
    }
  }

  message(key: string): NodeMessage | undefined {
    return this.#messages.get(key);
  }

  deleteMessage(key: string): void {
    this.#messages.delete(key);
  }

  emitting(wait: OpenWait, indexes: readonly number[]): void {
    const known = this.pendingWrites.get(wait.key) ?? { wait, indexes: new Set() };
    this.pendingWrites.set(wait.key, known);
    for (const index of indexes) {
      known.indexes.add(index);
    }
  }

  written({ key }: OpenWait, indexes: readonly number[]): void {
    const known = this.pendingWrites.get(key);
    for (const index of indexes) {
      known?.indexes.delete(index);
    }
    if (known?.indexes.size === 0) {
      this.pendingWrites.delete(key);
    }
  }

  /** @returns false if it was emitted before */
  emittingReply(reply: PendingReply): boolean {
    const name = nameOf(reply);
    const isNew = !this.#unwrittenReplies.has(name);
    this.#unwrittenReplies.add(name);
    return isNew;
  }

  hasEmittedReply(reply: PendingReply): boolean {
    return this.#unwrittenReplies.has(nameOf(reply));
  }

  replyWritten(reply: PendingReply): void {
    this.#unwrittenReplies.delete(nameOf(reply));
  }
}
