/** Random numbers that the same seed gives again, in the same order (mulberry32). */
export class SeededRandom {
  /** @param state 0 to 2^32 - 1 */
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<Entry>(entries: readonly Entry[]): Entry {
    return entries[this.between(0, entries.length - 1)] as Entry;
  }
}
