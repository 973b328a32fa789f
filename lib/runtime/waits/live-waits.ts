import type { NodeMessage } from "node-red";
import type { OpenWait, PendingReply } from "../../store/waits/wait";

/** Live messages that are kept. */
const MOST_MESSAGES = 1_000;

/** Ends of a wait that have left their node, which the store does not know yet. */
export interface PendingEnds {
  readonly wait: OpenWait;
  readonly places: Set<number>;
}

/** An id means another reply after another file has taken the place of the store. */
const nameOf = ({ id, number, receivedAt }: PendingReply): string => `${id} ${number} ${receivedAt}`;

/** What this process has of the waits of an account beside its store. It outlives a deploy. */
export class LiveWaits {
  static readonly #byAccount = new Map<string, LiveWaits>();

  /** The same object for every account of this identity that follows another one. */
  static of(account: string): LiveWaits {
    const known = LiveWaits.#byAccount.get(account) ?? new LiveWaits();
    LiveWaits.#byAccount.set(account, known);
    return known;
  }

  /** By key of the wait. They leave no second time while this process lives. */
  readonly pendingWrites = new Map<string, PendingEnds>();
  /** Those who look for ends now. A wait may begin after its own account has closed, while the one of the next deploy runs. */
  readonly keepers = new Set<{ begun(wait: OpenWait): void }>();
  /** Names that this process has had in stores: the waits that it began itself have keys that begin with one of them. */
  readonly lives = new Set<string>();
  /** Messages of which the store has a part only, by key of the wait, the newest last. */
  readonly #messages = new Map<string, NodeMessage>();
  /** Other replies that have left their node, which the store does not know yet. */
  readonly #unwrittenReplies = new Set<string>();

  private constructor() {}

  /** Keeps a message until `takeMessage`, or until there are too many newer ones. */
  keepMessage(key: string, msg: NodeMessage): void {
    this.#messages.set(key, msg);
    if (this.#messages.size > MOST_MESSAGES) {
      const [oldest = ""] = this.#messages.keys();
      this.#messages.delete(oldest);
    }
  }

  message(key: string): NodeMessage | undefined {
    return this.#messages.get(key);
  }

  forgetMessage(key: string): void {
    this.#messages.delete(key);
  }

  /** These ends leave their node now. */
  leaves(wait: OpenWait, places: readonly number[]): void {
    const known = this.pendingWrites.get(wait.key) ?? { wait, places: new Set() };
    this.pendingWrites.set(wait.key, known);
    for (const place of places) {
      known.places.add(place);
    }
  }

  /** The store knows these ends. */
  written({ key }: OpenWait, places: readonly number[]): void {
    const known = this.pendingWrites.get(key);
    for (const place of places) {
      known?.places.delete(place);
    }
    if (known?.places.size === 0) {
      this.pendingWrites.delete(key);
    }
  }

  /** @returns false where it has left before */
  replyLeaves(reply: PendingReply): boolean {
    const name = nameOf(reply);
    const isNew = !this.#unwrittenReplies.has(name);
    this.#unwrittenReplies.add(name);
    return isNew;
  }

  /** Whether it has left its node, and the store does not know it yet. */
  hasReplyLeft(reply: PendingReply): boolean {
    return this.#unwrittenReplies.has(nameOf(reply));
  }

  /** The store knows what became of this reply. */
  replyWritten(reply: PendingReply): void {
    this.#unwrittenReplies.delete(nameOf(reply));
  }
}
