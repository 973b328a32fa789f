interface Entry<Item> {
  readonly at: number;
  readonly item: Item;
}

/**
 * Items by their moments. Nearly all are added behind the others, since most waits of a node last equally long. Those that are removed
 * stay until they are the most.
 */
export class Deadlines<Item extends object> {
  #entries: Entry<Item>[] = [];
  /** Entries before it are gone. */
  #first = 0;
  /** Items that count. */
  readonly #items = new Set<Item>();

  get size(): number {
    return this.#items.size;
  }

  /** @param at epoch ms. Items of the same moment keep their order */
  add(item: Item, at: number): void {
    this.#items.add(item);
    let [from, to] = [this.#first, this.#entries.length];
    if (to > from && (this.#entries[to - 1] as Entry<Item>).at <= at) {
      from = to;
    }
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#entries[middle] as Entry<Item>).at <= at) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    this.#entries.splice(from, 0, { at, item });
  }

  delete(item: Item): void {
    this.#items.delete(item);
    if (this.#entries.length > 2 * this.#items.size) {
      this.#entries = this.#entries.slice(this.#first).filter(({ item: each }) => this.#items.has(each));
      this.#first = 0;
    }
  }

  /** The first moment; null without items. */
  get next(): number | null {
    for (; this.#first < this.#entries.length; this.#first++) {
      const { at, item } = this.#entries[this.#first] as Entry<Item>;
      if (this.#items.has(item)) {
        return at;
      }
    }
    return null;
  }

  /** Removes the first item whose moment has come. @param now epoch ms */
  take(now: number): Item | undefined {
    const { next } = this;
    if (next === null || next > now) {
      return undefined;
    }
    const { item } = this.#entries[this.#first] as Entry<Item>;
    this.delete(item);
    return item;
  }
}
