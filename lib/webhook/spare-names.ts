/** The oldest are dropped first. */
const MAX_NAMES = 10_000;

export class SpareNames {
  readonly #names = new Map<string, string[]>();
  #count = 0;

  give(key: string, name: string): void {
    const same = this.#names.get(key) ?? [];
    same.push(name);
    this.#names.set(key, same);
    if (++this.#count > MAX_NAMES) {
      const [oldest = ""] = this.#names.keys();
      this.take(oldest);
    }
  }

  take(key: string): string | undefined {
    const names = this.#names.get(key);
    const name = names?.shift();
    if (name !== undefined) {
      this.#count--;
    }
    if (names?.length === 0) {
      this.#names.delete(key);
    }
    return name;
  }
}
