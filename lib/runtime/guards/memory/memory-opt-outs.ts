import { inSlices } from "../../../shared/async/in-slices";
import type { OptOut, OptOutList, OptOutScope, OptOutSource } from "../../../store/guards/opt-outs";

const lists = new Map<string, MemoryOptOuts>();

/** The opt-outs of an account without a store: they last as long as the process. */
export class MemoryOptOuts implements OptOutList {
  readonly #entries = new Map<string, OptOut>();
  /** The numbers in order, made when a page is asked for; null after a change. */
  #sorted: readonly string[] | null = null;

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
        this.#sorted = null;
        added++;
      }
    }
    return added;
  }

  async remove(numbers: readonly string[]): Promise<number> {
    this.#sorted = null;
    return numbers.filter((number) => this.#entries.delete(number)).length;
  }

  async find(numbers: readonly string[]): Promise<readonly OptOut[]> {
    if (this.#entries.size === 0) {
      return [];
    }
    const found = new Set<OptOut>();
    await inSlices(numbers, (slice) => {
      for (const number of slice) {
        const entry = this.#entries.get(number);
        if (entry !== undefined) {
          found.add(entry);
        }
      }
    });
    return [...found];
  }

  async page(after: string, most: number): Promise<readonly OptOut[]> {
    this.#sorted ??= [...this.#entries.keys()].sort();
    const start = firstAfter(this.#sorted, after);
    return this.find(this.#sorted.slice(start, start + most));
  }

  async count(): Promise<number> {
    return this.#entries.size;
  }
}

/** Place of the first of sorted texts that comes after another one. */
function firstAfter(sorted: readonly string[], after: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as string) > after) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return from;
}
