/**
 * Items by the ends of their times. Nearly all are added behind the others, since most waits of a node last equally long. Those that are
 * removed stay until they are the most.
 */
export class Deadlines<Item extends { readonly until: number }> {
  #ordered: Item[] = [];
  /** Items before it are gone. */
  #first = 0;
  /** Items that count. */
  readonly #items = new Set<Item>();

  get size(): number {
    return this.#items.size;
  }

  /** Items of the same moment keep their order. */
  add(item: Item): void {
    this.#items.add(item);
    this.#ordered.splice(this.#placeOf(item.until), 0, item);
  }

  delete(item: Item): void {
    this.#items.delete(item);
    if (this.#ordered.length > 2 * this.#items.size) {
      // From the items: one that was removed and added again is there twice.
      this.#ordered = [...this.#items].sort((one, other) => one.until - other.until);
      this.#first = 0;
    }
  }

  /** The first moment, epoch ms; null without items. */
  get next(): number | null {
    for (; this.#first < this.#ordered.length; this.#first++) {
      const item = this.#ordered[this.#first] as Item;
      if (this.#items.has(item)) {
        return item.until;
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
    const item = this.#ordered[this.#first] as Item;
    this.delete(item);
    return item;
  }

  /** Behind all that end no later. */
  #placeOf(until: number): number {
    let [from, to] = [this.#first, this.#ordered.length];
    if ((this.#ordered.at(-1)?.until ?? 0) <= until) {
      return to;
    }
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#ordered[middle] as Item).until <= until) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
