/**
 * Requests of an account whose results have left their node and are not marked so on the disk. Shared by all who bring results to nodes:
 * after a deploy the old one may still have answers while the new one reads what has not left.
 */
export class LeftResults {
  readonly #ids = new Set<number>();
  /** Requests that were marked while somebody reads pages of results; a page that was read before still has them. */
  #marked: number[] = [];
  #readers = 0;

  get size(): number {
    return this.#ids.size;
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  add(id: number): void {
    this.#ids.add(id);
  }

  /** These are marked on the disk. */
  marked(ids: readonly number[]): void {
    if (this.#readers > 0) {
      this.#marked.push(...ids);
      return;
    }
    for (const id of ids) {
      this.#ids.delete(id);
    }
  }

  /** Reads pages of what has not left. What is marked meanwhile counts as left until the end. */
  async during(read: () => Promise<void>): Promise<void> {
    this.#readers++;
    try {
      await read();
    } finally {
      this.#readers--;
      this.marked(this.#marked.splice(0));
    }
  }

  clear(): void {
    this.#ids.clear();
  }
}
