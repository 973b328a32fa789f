import type { OptOut, OptOutList, OptOutScope, OptOutSource } from "../../../store/guards/opt-outs";

const lists = new Map<string, MemoryOptOuts>();

/** The opt-outs of an account without a store: they last as long as the process. */
export class MemoryOptOuts implements OptOutList {
  readonly #entries = new Map<string, OptOut>();

  /** The list of an account, the same one after a deploy. */
  static of(account: string): MemoryOptOuts {
    const list = lists.get(account) ?? new MemoryOptOuts();
    lists.set(account, list);
    return list;
  }

  /** How many people there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** What somebody does not want; null for a number that is not in the list. */
  scopeOf(number: string): OptOutScope | null {
    return this.#entries.get(number)?.scope ?? null;
  }

  async add(numbers: readonly string[], scope: OptOutScope, source: OptOutSource): Promise<number> {
    let added = 0;
    for (const number of numbers) {
      const known = this.scopeOf(number);
      if (known === null || (known !== "all" && scope === "all")) {
        this.#entries.set(number, { number, scope, at: Date.now(), source });
        added++;
      }
    }
    return added;
  }

  async remove(numbers: readonly string[]): Promise<number> {
    return numbers.filter((number) => this.#entries.delete(number)).length;
  }

  async find(numbers: readonly string[]): Promise<readonly OptOut[]> {
    return numbers.flatMap((number) => this.#entries.get(number) ?? []);
  }

  async page(after: string, most: number): Promise<readonly OptOut[]> {
    const numbers = [...this.#entries.keys()].filter((number) => number > after).sort();
    return this.find(numbers.slice(0, most));
  }

  async count(): Promise<number> {
    return this.#entries.size;
  }
}
