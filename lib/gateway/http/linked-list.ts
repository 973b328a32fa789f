/** The place of one entry; to be given back to the roster that gave it. */
export class ListNode<Value> {
  before: ListNode<Value> | null = null;
  after: ListNode<Value> | null = null;
  /** Null when it has left. */
  value: Value | null;

  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * Entries in the order of their coming, each of which leaves by its place. For what comes and goes with every
 * message: a `Set` makes itself a new table every few dozen changes, each old table leads to the next, and once the
 * garbage collector has put one of them aside, all that ever followed stays in memory until its next great round.
 */
export class LinkedList<Value extends object> {
  #first: ListNode<Value> | null = null;
  #last: ListNode<Value> | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The place that was taken first of those that are here. */
  get first(): ListNode<Value> | null {
    return this.#first;
  }

  add(value: Value): ListNode<Value> {
    const place = new ListNode(value);
    place.before = this.#last;
    if (this.#last === null) {
      this.#first = place;
    } else {
      this.#last.after = place;
    }
    this.#last = place;
    this.#size++;
    return place;
  }

  /** Leaves nothing behind that leads from one entry to another, or to the value. Nothing where it had left before. */
  remove(place: ListNode<Value>): void {
    if (place.value === null) {
      return;
    }
    const { before, after } = place;
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
    place.before = place.after = place.value = null;
    this.#size--;
  }

  /** All that are here now, in the order of their coming. */
  values(): Value[] {
    const values: Value[] = [];
    for (let place = this.#first; place !== null; place = place.after) {
      values.push(place.value as Value);
    }
    return values;
  }

  /** All that were here, which leave. */
  takeAll(): Value[] {
    const values = this.values();
    for (let place = this.#first; place !== null; place = this.#first) {
      this.remove(place);
    }
    return values;
  }
}
