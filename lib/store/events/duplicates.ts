import type { Clock } from "../engine/clock";
import type { Call, Engine, Row } from "../engine/engine";
import { each, textOf, textsOf } from "../schema/sql";
import { deleteSlice, statement } from "../schema/statement";
import { SLICE } from "../engine/sliced";
import { call, changeInSlices, rowOf, rowsOf } from "../engine/query";

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
const NOTE = statement("duplicates_note")`
    INSERT INTO duplicates (receiver, memory, event_key, at, count)
    SELECT CAST(?1 AS text), CAST(?2 AS text), e.value ->> 0, CAST(?4 AS bigint), CAST(e.value ->> 1 AS integer)
    FROM ${each("?3")} WHERE true
    ON CONFLICT (receiver, memory, event_key) DO UPDATE SET
      count = excluded.count + CASE WHEN duplicates.at > ?5 THEN duplicates.count ELSE 0 END,
      at = excluded.at
    RETURNING event_key, count`;

const FIND = statement("duplicates_find")`
    SELECT event_key FROM duplicates
    WHERE receiver = ?1 AND memory = ?2 AND event_key IN (${textsOf("?3")}) AND at > ?4 AND count > 0`;

const HOLD = statement("duplicates_hold")`
    INSERT INTO duplicates (receiver, memory, event_key, at, count)
    SELECT CAST(?1 AS text), 'held', ${textOf()}, CAST(?3 AS bigint), 1 FROM ${each("?2")} WHERE true
    ON CONFLICT (receiver, memory, event_key) DO UPDATE SET at = excluded.at, count = 1
      WHERE duplicates.at <= ?4 OR duplicates.count = 0
    RETURNING event_key`;

const TAKE = statement("duplicates_take")`
    UPDATE duplicates SET count = count - 1
    WHERE receiver = ?1 AND memory = ?2 AND event_key IN (${textsOf("?3")})
      AND at > ?4 AND count > 0 RETURNING event_key`;

const KEY = "receiver, memory, event_key";

// What was used up ends with its age as well.
const FORGET = deleteSlice(
  "duplicates_forget",
  "duplicates",
  KEY,
  "o.receiver = ?1 AND o.memory = ?3 AND o.at <= ?4 ORDER BY o.at",
);

const COUNT = statement("duplicates_count")`
    SELECT count(*) AS keys FROM duplicates c WHERE c.receiver = ?1 AND c.memory = ?2`;

const TRIM = deleteSlice(
  "duplicates_trim",
  "duplicates",
  KEY,
  "o.receiver = ?1 AND o.memory = ?3 ORDER BY o.at",
);

// One step of the index for each receiver, however many keys it has.
const RECEIVERS = statement("duplicates_receivers")`
    WITH RECURSIVE known (receiver) AS (
      SELECT min(receiver) FROM duplicates
      UNION ALL SELECT (SELECT min(d.receiver) FROM duplicates d WHERE d.receiver > k.receiver)
      FROM known k WHERE k.receiver IS NOT NULL)
    SELECT receiver FROM known WHERE receiver IS NOT NULL`;

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
 * the order of the keys. Every call may throw StoreError.
 */
export class Duplicates {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    /** Stable name of the webhook. */
    private readonly receiver: string,
    private readonly limits: Readonly<Record<Memory, MemoryLimits>>,
  ) {}

  /** Remembers each key once more. @returns true where nobody had */
  async note(memory: Memory, keys: readonly string[]): Promise<readonly boolean[]> {
    const [rows = []] = await this.engine.run([this.#noting(memory, keys)]);
    const fresh = countedKeysOf(rows, keys, (count, times) => count === times);
    return keys.map((key) => fresh.delete(key));
  }

  /**
   * Says what is known of events that come in, and remembers that they were seen.
   * @param held keys among them that no other process may pass on until they are done, or until `release`
   */
  async meet(keys: readonly string[], held: readonly string[] = []): Promise<readonly KnownEvent[]> {
    const { receiver, clock } = this;
    const holding = JSON.stringify(held.toSorted());
    // What is noted waits for others who note the same, so what is asked for after it includes what they have written.
    const [noted = [], done, got] = await this.engine.run([
      this.#noting("seen", keys),
      call(FIND, receiver, "done", JSON.stringify(keys), this.#oldest("done")),
      ...(held.length > 0 ? [call(HOLD, receiver, holding, clock.now(), this.#oldest("held"))] : []),
    ]);
    const wasSeen = countedKeysOf(noted, keys, (count, times) => count > times);
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

  /** Another process may pass these on. */
  async release(keys: readonly string[]): Promise<void> {
    await this.take("held", keys);
  }

  async has(memory: Memory, keys: readonly string[]): Promise<readonly boolean[]> {
    const list = JSON.stringify(keys);
    const found = keysOf(await rowsOf(this.engine, FIND, this.receiver, memory, list, this.#oldest(memory)));
    return keys.map((key) => found.has(key));
  }

  /** Uses each key up once; each `note` allows that once. @returns false where nothing was left */
  async take(memory: Memory, keys: readonly string[]): Promise<readonly boolean[]> {
    const taken: boolean[] = keys.map(() => false);
    let places = [...keys.keys()];
    // A key that is there several times is taken in as many rounds.
    while (places.length > 0) {
      const round = new Map(places.map((place) => [keys[place] ?? "", place]));
      const list = JSON.stringify([...round.keys()]);
      const rows = await rowsOf(this.engine, TAKE, this.receiver, memory, list, this.#oldest(memory));
      for (const key of keysOf(rows)) {
        taken[round.get(key) ?? 0] = true;
      }
      const asked = new Set(round.values());
      places = places.filter((place) => !asked.has(place));
    }
    return taken;
  }

  /** Deletes keys that are too old. @returns how many */
  async forget(): Promise<number> {
    let total = 0;
    for (const memory of MEMORIES) {
      total += await changeInSlices(this.engine, FORGET, [this.receiver, memory, this.#oldest(memory)]);
    }
    return total;
  }

  /** Deletes keys that are too many, the oldest first. It counts them all. @returns how many */
  async trim(): Promise<number> {
    let total = 0;
    for (const memory of MEMORIES) {
      const row = await rowOf(this.engine, COUNT, this.receiver, memory);
      let left = Number(row?.keys ?? 0) - this.limits[memory].most;
      while (left > 0) {
        const rows = await rowsOf(this.engine, TRIM, this.receiver, Math.min(left, SLICE), memory);
        total += rows.length;
        left = rows.length === 0 ? 0 : left - rows.length;
      }
    }
    return total;
  }

  #noting(memory: Memory, keys: readonly string[]): Call {
    const entries = JSON.stringify([...timesOf(keys)]);
    const values = [this.receiver, memory, entries, this.clock.now(), this.#oldest(memory)];
    return call(NOTE, ...values);
  }

  #oldest(memory: Memory): number {
    return this.clock.now() - this.limits[memory].age;
  }
}

/** Deletes keys of all receivers that are older than `age` ms, also of webhooks that are gone. @throws StoreError */
export async function forgetOldDuplicates(engine: Engine, clock: Clock, age: number): Promise<void> {
  const rows = await rowsOf(engine, RECEIVERS);
  const limit = { age, most: Number.MAX_SAFE_INTEGER };
  for (const { receiver } of rows) {
    const limits = { done: limit, cut: limit, seen: limit, held: limit };
    await new Duplicates(engine, clock, String(receiver), limits).forget();
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

/** Keys whose count compares like this with how often they were noted now. */
const countedKeysOf = (
  rows: readonly Row[],
  keys: readonly string[],
  fits: (count: number, times: number) => boolean,
): Set<string> => {
  const times = timesOf(keys);
  return keysOf(rows.filter(({ event_key: key, count }) => fits(Number(count), times.get(String(key)) ?? 0)));
};
