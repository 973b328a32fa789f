import { COUNTER, HOUR } from "../../store/codes";

/** Actions by the counter in which they were: its start and how many, one pair after the other. */
type Pairs = number[];
type People = Map<string, Pairs>;

/**
 * Who did how much in the last hour. Holds a limited number of people in two generations: where the younger one is full, the older one is
 * forgotten, and nobody is refused for want of space. Who is asked about, also in vain, is in the younger one. A single list in this order
 * would take long to find its first entry after many have left.
 */
export class RecentCounts {
  #younger: People = new Map();
  #older: People = new Map();
  /** Counter in which the younger one began, epoch ms. */
  #began = 0;

  /** @param most people */
  constructor(private readonly most: number) {}

  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  /** Forgets those whose counters have ended. @param counter start of the present one, epoch ms */
  expire(counter: number): void {
    const age = counter - this.#began;
    if (age > HOUR) {
      this.#turn();
      this.#began = counter;
    }
    if (age > 2 * HOUR + COUNTER) {
      this.#turn();
    }
  }

  /** Actions of the last hour. @param counter start of the present one, epoch ms */
  sum(who: string, counter: number): number {
    const pairs = this.#younger.get(who) ?? this.#older.get(who);
    if (pairs === undefined) {
      return 0;
    }
    this.#keep(who, pairs);
    let sum = 0;
    for (let at = 0; at < pairs.length; at += 2) {
      sum += (pairs[at] ?? 0) >= counter - HOUR ? (pairs[at + 1] ?? 0) : 0;
    }
    return sum;
  }

  /** Counts one action. @param counter start of the present one, epoch ms */
  add(who: string, counter: number): void {
    const pairs = this.#younger.get(who) ?? this.#older.get(who) ?? [];
    while ((pairs[0] ?? counter) < counter - HOUR) {
      pairs.splice(0, 2);
    }
    const at = pairs.length - 2;
    if (pairs[at] === counter) {
      pairs[at + 1] = (pairs[at + 1] ?? 0) + 1;
    } else {
      pairs.push(counter, 1);
    }
    this.#keep(who, pairs);
  }

  #keep(who: string, pairs: Pairs): void {
    this.#older.delete(who);
    if (!this.#younger.has(who) && this.#younger.size >= this.most / 2) {
      this.#turn();
    }
    this.#younger.set(who, pairs);
  }

  #turn(): void {
    this.#older = this.#younger;
    this.#younger = new Map();
  }
}
