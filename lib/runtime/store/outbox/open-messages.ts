import type { StoredMessage } from "./stored-message";

/** Messages of which not all results have left, by the key of their job: the objects of the flow, as they came or as they were restored. */
export class OpenMessages extends Map<string, StoredMessage> {
  /** Recipients of a part have become parts of their own. @param count of those */
  divided(key: string, count: number): void {
    const message = this.get(key);
    if (message !== undefined) {
      message.divided = true;
      message.late += count;
      message.open += count;
    }
  }

  /** Drops the messages of nodes that are gone; the store has them. @param nodes those that exist */
  forget(nodes: readonly string[]): void {
    const existing = new Set(nodes);
    for (const [key, { node }] of this) {
      if (!existing.has(node)) {
        this.delete(key);
      }
    }
  }
}
