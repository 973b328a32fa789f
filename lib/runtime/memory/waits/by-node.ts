/** Entries of nodes by their keys, those of each node in the order in which they came. */
export class ByNode<Key, Entry> {
  readonly #nodes = new Map<string, Map<Key, Entry>>();

  get size(): number {
    let size = 0;
    for (const entries of this.#nodes.values()) {
      size += entries.size;
    }
    return size;
  }

  set(node: string, key: Key, entry: Entry): void {
    const entries = this.#nodes.get(node) ?? new Map<Key, Entry>();
    this.#nodes.set(node, entries);
    entries.set(key, entry);
  }

  get(node: string, key: Key): Entry | undefined {
    return this.#nodes.get(node)?.get(key);
  }

  delete(node: string, key: Key): void {
    const entries = this.#nodes.get(node);
    entries?.delete(key);
    if (entries?.size === 0) {
      this.#nodes.delete(node);
    }
  }

  *of(nodes: readonly string[]): Iterable<Entry> {
    for (const node of nodes) {
      yield* this.#nodes.get(node)?.values() ?? [];
    }
  }
}
