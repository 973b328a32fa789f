import type { ResultNode, StoredMessage } from "./stored-message";

/**
 * What this process has of an account beside its store. It outlives a deploy, so that the node that comes back emits the same objects,
 * and an account that closes while others go on brings its last results to the nodes of its successor.
 */
export class LiveMessages {
  static readonly #byAccount = new Map<string, LiveMessages>();

  /** The same object for every account of this identity that follows another one. */
  static of(account: string): LiveMessages {
    const known = LiveMessages.#byAccount.get(account) ?? new LiveMessages();
    LiveMessages.#byAccount.set(account, known);
    return known;
  }

  /** Messages of which not all results have left, by the key of their job. */
  readonly messages = new Map<string, StoredMessage>();
  /** Send nodes that run, by identity. */
  readonly nodes = new Map<string, ResultNode>();

  private constructor() {}

  /** Recipients of a part have become parts of their own. @param count of those */
  divided(key: string, count: number): void {
    const message = this.messages.get(key);
    if (message !== undefined) {
      message.divided = true;
      message.late += count;
      message.open += count;
    }
  }

  /** Drops the messages of nodes that are gone; the store has them. @param nodes those that exist */
  forget(nodes: readonly string[]): void {
    const existing = new Set(nodes);
    for (const [key, { node }] of this.messages) {
      if (!existing.has(node)) {
        this.messages.delete(key);
      }
    }
  }
}
