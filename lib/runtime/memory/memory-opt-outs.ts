import { inSlices } from "../../shared/async/in-slices";
import { type Clock, SYSTEM_CLOCK } from "../../store/engine/clock";
import type { OptOut, OptOutList, OptOutScope, OptOutSource } from "../../store/guards/opt-outs";

/** The opt-outs of an account without a store. */
export class MemoryOptOuts implements OptOutList {
  readonly #entries = new Map<string, OptOut>();
  /** The numbers in order, made when a page is asked for; null after a change. */
  #sorted: readonly string[] | null = null;

  constructor(private readonly clock: Clock = SYSTEM_CLOCK) {}

  get size(): number {
    return this.#entries.size;
  }

  /** What somebody does not want; null for a number that is not in the list. */
  scopeOf(number: string): OptOutScope | null {
    return this.#entries.get(number)?.scope ?? null;
  }

  /** As `add`, for one number. @returns whether it is new or wider now */
  put(number: string, scope: OptOutScope, source: OptOutSource): boolean {
    const known = this.scopeOf(number);
    if (known === "all" || (known !== null && scope !== "all")) {
      return false;
    }
    this.#entries.set(number, { number, scope, at: this.clock.now(), source });
    this.#sorted = null;
    return true;
  }

  /** As `remove`, for one number. @returns whether it was there */
  drop(number: string): boolean {
    this.#sorted = null;
    return this.#entries.delete(number);
  }

  async add(numbers: readonly string[], scope: OptOutScope, source: OptOutSource): Promise<number> {
    return numbers.filter((number) => this.put(number, scope, source)).length;
  }

  async remove(numbers: readonly string[]): Promise<number> {
    return numbers.filter((number) => this.drop(number)).length;
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
