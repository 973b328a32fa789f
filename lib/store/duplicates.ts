import type { Clock } from "./engine/clock";
import type { Call, Engine, Row } from "./engine/engine";
import { statement } from "./schema/statement";
import { SLICE, sliced } from "./engine/sliced";

/**
 * What is remembered of an event: that it is *done*, that its answer was *cut* off, that it was *seen* lately, or that a process
 * *holds* it and its flow is at work.
 */
export type Memory = "done" | "cut" | "seen" | "held";

/** Limits of one memory of a receiver: age in ms, number of keys. */
export interface MemoryLimits {
  readonly age: number;
  readonly most: number;
}

const MEMORIES: readonly Memory[] = ["done", "cut", "seen", "held"];

// A key that is too old counts as a new one. Entries: key, how often.
const NOTE = statement(
  "duplicates_note",
  (d) => `INSERT INTO duplicates (receiver, memory, event_key, at, count)
    SELECT CAST(?1 AS text), CAST(?2 AS text), e.value ->> 0, CAST(?4 AS bigint), CAST(e.value ->> 1 AS integer)
    FROM ${d.each("?3", "e")} WHERE true
    ON CONFLICT (receiver, memory, event_key) DO UPDATE SET
      count = excluded.count + CASE WHEN duplicates.at > ?5 THEN duplicates.count ELSE 0 END,
      at = excluded.at
    RETURNING event_key, count`,
);

const FIND = statement(
  "duplicates_find",
  (d) => `SELECT event_key FROM duplicates
    WHERE receiver = ?1 AND memory = ?2 AND event_key IN (SELECT ${d.text("e")} FROM ${d.each("?3", "e")})
      AND at > ?4 AND count > 0`,
);

const HOLD = statement(
  "duplicates_hold",
  (d) => `INSERT INTO duplicates (receiver, memory, event_key, at, count)
    SELECT CAST(?1 AS text), 'held', ${d.text("e")}, CAST(?3 AS bigint), 1 FROM ${d.each("?2", "e")} WHERE true
    ON CONFLICT (receiver, memory, event_key) DO UPDATE SET at = excluded.at, count = 1
      WHERE duplicates.at <= ?4 OR duplicates.count = 0
    RETURNING event_key`,
);

const TAKE = statement(
  "duplicates_take",
  (d) => `UPDATE duplicates SET count = count - 1
    WHERE receiver = ?1 AND memory = ?2 AND event_key IN (SELECT ${d.text("e")} FROM ${d.each("?3", "e")})
      AND at > ?4 AND count > 0 RETURNING event_key`,
);

// What was used up ends with its age as well.
const FORGET = statement(
  "duplicates_forget",
  () => `DELETE FROM duplicates WHERE (receiver, memory, event_key) IN (
      SELECT d.receiver, d.memory, d.event_key FROM duplicates d
      WHERE d.receiver = ?1 AND d.memory = ?2 AND d.at <= ?3 ORDER BY d.at LIMIT ?4) RETURNING count`,
);

const COUNT = statement(
  "duplicates_count",
  () => "SELECT count(*) AS keys FROM duplicates c WHERE c.receiver = ?1 AND c.memory = ?2",
);

const TRIM = statement(
  "duplicates_trim",
  () => `DELETE FROM duplicates WHERE (receiver, memory, event_key) IN (
      SELECT d.receiver, d.memory, d.event_key FROM duplicates d WHERE d.receiver = ?1 AND d.memory = ?2
      ORDER BY d.at LIMIT ?3) RETURNING count`,
);

// One step of the index for each receiver, however many keys it has.
const RECEIVERS = statement(
  "duplicates_receivers",
  () => `WITH RECURSIVE known (receiver) AS (
      SELECT min(receiver) FROM duplicates
      UNION ALL SELECT (SELECT min(d.receiver) FROM duplicates d WHERE d.receiver > k.receiver)
      FROM known k WHERE k.receiver IS NOT NULL)
    SELECT receiver FROM known WHERE receiver IS NOT NULL`,
);

/** What is known of an event that comes in. */
export interface KnownEvent {
  readonly done: boolean;
  /** It came before, lately. */
  readonly seen: boolean;
  /** It is to be held, and another process holds it. */
  readonly elsewhere: boolean;
}

/**
 * Keys of events that webhooks have received, in the store, so that every process knows them and they outlive it. Each
 * question and change is one statement for any number of keys, so two processes cannot both be the first. Answers are in
 * the order of the keys.
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
   * Remembers each key once more.
   * @returns true where nobody had
   * @throws StoreError
   */
  async note(memory: Memory, keys: readonly string[]): Promise<readonly boolean[]> {
    const [rows = []] = await this.engine.run([this.#noting(memory, keys)]);
    const times = timesOf(keys);
    const fresh = new Set(
      rows
        .filter(({ event_key: key, count }) => Number(count) === times.get(String(key)))
        .map((row) => row.event_key),
    );
    return keys.map((key) => fresh.delete(key));
  }

  /**
   * Says what is known of events that come in, and remembers that they were seen.
   * @param held keys among them that no other process may pass on until they are done, or until `release`
   * @throws StoreError
   */
  async meet(keys: readonly string[], held: readonly string[] = []): Promise<readonly KnownEvent[]> {
    const holding = {
      statement: HOLD,
      values: [this.receiver, JSON.stringify(held.toSorted()), this.clock.now(), this.#oldest("held")],
    };
    // What is noted waits for others who note the same, so what is asked for after it includes what they have written.
    const [noted = [], done, got] = await this.engine.run([
      this.#noting("seen", keys),
      this.#finding("done", keys),
      ...(held.length > 0 ? [holding] : []),
    ]);
    const times = timesOf(keys);
    const wasSeen = new Set(
      noted
        .filter(({ event_key: key, count }) => Number(count) > (times.get(String(key)) ?? 0))
        .map((row) => row.event_key),
    );
    const isDone = keysOf(done);
    const isMine = keysOf(got);
    const wanted = new Set(held);
    return keys.map((key) => {
      const known = {
        done: isDone.has(key),
        seen: wasSeen.has(key),
        elsewhere: wanted.has(key) && !isMine.has(key),
      };
      wasSeen.add(key);
      return known;
    });
  }

  /** Another process may pass these on. @throws StoreError */
  async release(keys: readonly string[]): Promise<void> {
    await this.take("held", keys);
  }

  /** @throws StoreError */
  async has(memory: Memory, keys: readonly string[]): Promise<readonly boolean[]> {
    const [rows] = await this.engine.run([this.#finding(memory, keys)]);
    const found = keysOf(rows);
    return keys.map((key) => found.has(key));
  }

  /** Uses each key up once; each `note` allows that once. @returns false where nothing was left @throws StoreError */
  async take(memory: Memory, keys: readonly string[]): Promise<readonly boolean[]> {
    const taken: boolean[] = keys.map(() => false);
    let places = [...keys.keys()];
    // A key that is there several times is taken in as many rounds.
    while (places.length > 0) {
      const round = new Map(places.map((place) => [keys[place] ?? "", place]));
      const values = [this.receiver, memory, JSON.stringify([...round.keys()]), this.#oldest(memory)];
      const [rows] = await this.engine.run([{ statement: TAKE, values }]);
      for (const key of keysOf(rows)) {
        taken[round.get(key) ?? 0] = true;
      }
      const asked = new Set(round.values());
      places = places.filter((place) => !asked.has(place));
    }
    return taken;
  }

  /** Deletes keys that are too old. @returns how many @throws StoreError */
  async forget(): Promise<number> {
    let total = 0;
    for (const memory of MEMORIES) {
      total += await sliced(async (most) => {
        const values = [this.receiver, memory, this.#oldest(memory), most];
        const [rows = []] = await this.engine.run([{ statement: FORGET, values }]);
        return rows.length;
      });
    }
    return total;
  }

  /** Deletes keys that are too many, the oldest first. It counts them all. @returns how many @throws StoreError */
  async trim(): Promise<number> {
    let total = 0;
    for (const memory of MEMORIES) {
      const [[row] = []] = await this.engine.run([{ statement: COUNT, values: [this.receiver, memory] }]);
      let left = Number(row?.keys ?? 0) - this.limits[memory].most;
      while (left > 0) {
        const values = [this.receiver, memory, Math.min(left, SLICE)];
        const [rows = []] = await this.engine.run([{ statement: TRIM, values }]);
        total += rows.length;
        left = rows.length === 0 ? 0 : left - rows.length;
      }
    }
    return total;
  }

  #noting(memory: Memory, keys: readonly string[]): Call {
    const entries = JSON.stringify([...timesOf(keys)]);
    const values = [this.receiver, memory, entries, this.clock.now(), this.#oldest(memory)];
    return { statement: NOTE, values };
  }

  #finding(memory: Memory, keys: readonly string[]): Call {
    return {
      statement: FIND,
      values: [this.receiver, memory, JSON.stringify(keys), this.#oldest(memory)],
    };
  }

  #oldest(memory: Memory): number {
    return this.clock.now() - this.limits[memory].age;
  }
}

/**
 * Deletes keys of all receivers that are older than `age` ms. Webhooks that are gone clean up no more.
 * @throws StoreError
 */
export async function forgetOldDuplicates(engine: Engine, clock: Clock, age: number): Promise<void> {
  const [rows = []] = await engine.run([{ statement: RECEIVERS, values: [] }]);
  const limit = { age, most: Number.MAX_SAFE_INTEGER };
  for (const { receiver } of rows) {
    await new Duplicates(engine, clock, String(receiver), {
      done: limit,
      cut: limit,
      seen: limit,
      held: limit,
    }).forget();
  }
}

/** How often each key is there. Sorted, so that two processes never wait for each other's rows. */
function timesOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const key of keys.toSorted()) {
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return times;
}

const keysOf = (rows: readonly Row[] = []): Set<string> =>
  new Set(rows.map(({ event_key: key }) => String(key)));
