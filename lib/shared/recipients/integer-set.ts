const SHARDS = 256;
const NO_SIZES = new Uint32Array(0);

/**
 * A set of positive integers. A `Set` of a million strings takes more than twice the time and five times the memory,
 * and stops the thread for long when it grows; this one grows in 256 small steps.
 */
export class IntegerSet {
  /** The first value; 0 for none. Most messages have one recipient, so the tables are created for the second value. */
  #first = 0;
  #tables: (Float64Array | undefined)[] | null = null;
  #sizes = NO_SIZES;

  /** False where the value was there already. */
  add(value: number): boolean {
    if (this.#first === 0) {
      this.#first = value;
      return true;
    }
    if (this.#tables === null) {
      if (value === this.#first) {
        return false;
      }
      this.#tables = new Array(SHARDS);
      this.#sizes = new Uint32Array(SHARDS);
      this.#insert(this.#tables, this.#first);
    }
    return this.#insert(this.#tables, value);
  }

  #insert(tables: (Float64Array | undefined)[], value: number): boolean {
    const hash = hashOf(value);
    const shard = hash & (SHARDS - 1);
    let table = tables[shard];
    const size = this.#sizes[shard] as number;
    if (table === undefined) {
      table = tables[shard] = new Float64Array(8);
    } else if (size * 2 >= table.length) {
      const larger = new Float64Array(table.length * 2);
      for (const known of table) {
        if (known !== 0) {
          larger[slotOf(larger, known, hashOf(known))] = known;
        }
      }
      table = tables[shard] = larger;
    }
    const slot = slotOf(table, value, hash);
    if (table[slot] === value) {
      return false;
    }
    table[slot] = value;
    this.#sizes[shard] = size + 1;
    return true;
  }

  clear(): void {
    this.#first = 0;
    this.#tables = null;
    this.#sizes = NO_SIZES;
  }
}

/** The slot that holds the value, or the free one where it belongs; there is always one free. */
function slotOf(table: Float64Array, value: number, hash: number): number {
  const mask = table.length - 1;
  let slot = (hash >>> 8) & mask;
  while (table[slot] !== 0 && table[slot] !== value) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

function hashOf(value: number): number {
  const high = Math.floor(value / 0x1_0000_0000);
  const low = value - high * 0x1_0000_0000;
  let hash = Math.imul(low | 0, 0x9e3779b1) ^ Math.imul(high + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
