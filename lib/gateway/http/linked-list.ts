/** The node of one entry, by which the list that made it removes it. */
export class ListNode<Value> {
  before: ListNode<Value> | null = null;
  after: ListNode<Value> | null = null;

  /** @param value null once removed */
  constructor(public value: Value | null) {}
}

/**
 * A doubly linked list in order of arrival, for entries that come and go with every message. A `Set` allocates a new
 * table every few dozen changes and each old table refers to the next: once one of them is in old space, all later
 * ones stay in memory until the next major GC.
 */
export class LinkedList<Value extends object> {
  #first: ListNode<Value> | null = null;
  #last: ListNode<Value> | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The node of the oldest entry. */
  get first(): ListNode<Value> | null {
    return this.#first;
  }

  add(value: Value): ListNode<Value> {
    const node = new ListNode(value);
    node.before = this.#last;
    if (this.#last === null) {
      this.#first = node;
    } else {
      this.#last.after = node;
    }
    this.#last = node;
    this.#size++;
    return node;
  }

  /** Clears the references of the node as well. Does nothing for a node that was removed before. */
  remove(node: ListNode<Value>): void {
    if (node.value === null) {
      return;
    }
    const { before, after } = node;
    if (before === null) {
      this.#first = after;
    } else {
      before.after = after;
    }
    if (after === null) {
      this.#last = before;
    } else {
      after.before = before;
    }
    node.before = node.after = node.value = null;
    this.#size--;
  }

  /** All values, the oldest first. */
  values(): Value[] {
    const values: Value[] = [];
    for (let node = this.#first; node !== null; node = node.after) {
      values.push(node.value as Value);
    }
    return values;
  }

  /** Removes all. @returns their values, the oldest first */
  takeAll(): Value[] {
    const values = this.values();
    for (let node = this.#first; node !== null; node = this.#first) {
      this.remove(node);
    }
    return values;
  }
}
