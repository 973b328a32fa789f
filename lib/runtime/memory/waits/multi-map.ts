/** Several values for a key, in the order in which they came. A key with one value, as nearly all have, costs no list. */
export class MultiMap<Value extends object> {
  readonly #values = new Map<string, Value | Set<Value>>();

  get size(): number {
    return this.#values.size;
  }

  add(key: string, value: Value): void {
    const same = this.#values.get(key);
    if (same === undefined) {
      this.#values.set(key, value);
    } else if (same instanceof Set) {
      same.add(value);
    } else if (same !== value) {
      this.#values.set(key, new Set([same, value]));
    }
  }

  remove(key: string, value: Value): void {
    const same = this.#values.get(key);
    if (same instanceof Set) {
      same.delete(value);
      if (same.size === 0) {
        this.#values.delete(key);
      }
    } else if (same === value) {
      this.#values.delete(key);
    }
  }

  of(key: string | null): readonly Value[] {
    const found = key === null ? undefined : this.#values.get(key);
    if (found === undefined) {
      return [];
    }
    return found instanceof Set ? [...found] : [found];
  }
}
