/**
 * Items by the ends of their times. Nearly all are added behind the others, since most waits of a node last equally long. Those that are
 * removed stay until they are the most.
 */
class Deadlines<Item extends { readonly until: number }> {
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

/** The same of several nodes, each by itself. */
export class NodeDeadlines<Item extends { readonly until: number }> {
  readonly #nodes = new Map<string, Deadlines<Item>>();

  get size(): number {
    return [...this.#nodes.values()].reduce((sum, { size }) => sum + size, 0);
  }

  add(node: string, item: Item): void {
    const deadlines = this.#nodes.get(node) ?? new Deadlines<Item>();
    this.#nodes.set(node, deadlines);
    deadlines.add(item);
  }

  delete(node: string, item: Item): void {
    const deadlines = this.#nodes.get(node);
    deadlines?.delete(item);
    if (deadlines?.size === 0) {
      this.#nodes.delete(node);
    }
  }

  /** The first moment of these nodes, epoch ms; null without items. */
  next(nodes: readonly string[]): number | null {
    const next = Math.min(...nodes.map((node) => this.#nodes.get(node)?.next ?? Number.POSITIVE_INFINITY));
    return next === Number.POSITIVE_INFINITY ? null : next;
  }

  /** Removes items of these nodes whose moment has come, at most so many. @param now epoch ms */
  *take(nodes: readonly string[], now: number, most: number): Iterable<Item> {
    let taken = 0;
    for (const node of nodes) {
      for (let item: Item | undefined; taken < most; taken++) {
        item = this.#nodes.get(node)?.take(now);
        if (item === undefined) {
          break;
        }
        yield item;
      }
    }
  }
}
