import type { Clock } from "./clock";
import type { Engine } from "./engine/engine";
import { statement } from "./schema/statement";
import { sliced } from "./sliced";

/** What is remembered of an event: that it is *done*, that its answer was *cut* off, or that it was *seen* lately. */
export type Memory = "done" | "cut" | "seen";

/** Limits of one memory of a receiver: age in ms, number of keys. */
export interface MemoryLimits {
  readonly age: number;
  readonly most: number;
}

// A key that is too old counts as a new one.
const NOTE = statement(
  "duplicates_note",
  () => `INSERT INTO duplicates (receiver, memory, event_key, at, count) VALUES (?1, ?2, ?3, ?4, 1)
    ON CONFLICT (receiver, memory, event_key) DO UPDATE SET
      count = CASE WHEN duplicates.at > ?5 AND duplicates.count > 0 THEN duplicates.count + 1 ELSE 1 END,
      at = excluded.at
    RETURNING count`,
);

const FIND = statement(
  "duplicates_find",
  () => `SELECT count FROM duplicates
    WHERE receiver = ?1 AND memory = ?2 AND event_key = ?3 AND at > ?4 AND count > 0`,
);

const TAKE = statement(
  "duplicates_take",
  () => `UPDATE duplicates SET count = count - 1
    WHERE receiver = ?1 AND memory = ?2 AND event_key = ?3 AND at > ?4 AND count > 0 RETURNING count`,
);

const FORGET = statement(
  "duplicates_forget",
  () => `DELETE FROM duplicates WHERE (receiver, memory, event_key) IN (
      SELECT d.receiver, d.memory, d.event_key FROM duplicates d
      WHERE d.receiver = ?1 AND d.memory = ?2 AND (d.at <= ?3 OR d.count = 0) LIMIT ?4) RETURNING count`,
);

const TRIM = statement(
  "duplicates_trim",
  () => `DELETE FROM duplicates WHERE (receiver, memory, event_key) IN (
      SELECT d.receiver, d.memory, d.event_key FROM duplicates d WHERE d.receiver = ?1 AND d.memory = ?2
      ORDER BY d.at LIMIT (SELECT CASE WHEN count(*) > ?3 THEN CASE WHEN count(*) - ?3 < ?4 THEN count(*) - ?3 ELSE ?4 END
        ELSE 0 END FROM duplicates c WHERE c.receiver = ?1 AND c.memory = ?2)) RETURNING count`,
);

/**
 * Keys of events that webhooks have received, in the store, so that every process knows them and they outlive it. Each
 * question and change is one statement, so two processes cannot both be the first.
 */
export class Duplicates {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    /** Stable name of the webhook. */
    private readonly receiver: string,
    private readonly limits: Readonly<Record<Memory, MemoryLimits>>,
  ) {}

  /**
   * Remembers the key once more.
   * @returns true where nobody had: for `done`, this caller is the one who may pass the event on
   * @throws StoreError
   */
  async note(memory: Memory, key: string): Promise<boolean> {
    const now = this.clock.now();
    const [[row] = []] = await this.engine.run([
      { statement: NOTE, values: [this.receiver, memory, key, now, this.#oldest(memory)] },
    ]);
    return Number(row?.count) === 1;
  }

  /** @throws StoreError */
  async has(memory: Memory, key: string): Promise<boolean> {
    const values = [this.receiver, memory, key, this.#oldest(memory)];
    const [rows = []] = await this.engine.run([{ statement: FIND, values }]);
    return rows.length > 0;
  }

  /** Uses the key up once; each `note` allows that once. @returns false where nothing was left @throws StoreError */
  async take(memory: Memory, key: string): Promise<boolean> {
    const values = [this.receiver, memory, key, this.#oldest(memory)];
    const [rows = []] = await this.engine.run([{ statement: TAKE, values }]);
    return rows.length > 0;
  }

  /** Deletes keys that are too old or too many, the oldest first. @returns how many @throws StoreError */
  async forget(): Promise<number> {
    let total = 0;
    for (const memory of ["done", "cut", "seen"] as const) {
      const { receiver } = this;
      total += await sliced(async (most) => {
        const values = [receiver, memory, this.#oldest(memory), most];
        const [rows = []] = await this.engine.run([{ statement: FORGET, values }]);
        return rows.length;
      });
      total += await sliced(async (most) => {
        const values = [receiver, memory, this.limits[memory].most, most];
        const [rows = []] = await this.engine.run([{ statement: TRIM, values }]);
        return rows.length;
      });
    }
    return total;
  }

  #oldest(memory: Memory): number {
    return this.clock.now() - this.limits[memory].age;
  }
}
