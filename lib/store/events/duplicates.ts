import type { Clock } from "../engine/clock";
import type { Call, Engine, Row } from "../engine/engine";
import { each, textOf, textsOf } from "../schema/sql";
import { deleteSlice, statement } from "../schema/statement";
import { SLICE } from "../engine/sliced";
import { call, changeInSlices, rowOf, rowsOf } from "../engine/query";

/**
 * `done`: the flow accepted the event; `cut`: its response was cut off; `seen`: it was received lately; `claimed`: a process passes it on.
 */
type Memory = "done" | "cut" | "seen" | "claimed";
export type DuplicateLimits = Readonly<Record<Memory, MemoryLimits>>;

/** Age in ms, and number of keys. */
export interface MemoryLimits {
  readonly age: number;
  readonly most: number;
}

const MEMORIES: readonly Memory[] = ["done", "cut", "seen", "claimed"];

// A key that is too old counts as a new one. Entries: key, how often.
const RECORD = statement("duplicates_record")`
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

const CLAIM = statement("duplicates_claim")`
    INSERT INTO duplicates (receiver, memory, event_key, at, count)
    SELECT CAST(?1 AS text), 'claimed', ${textOf()}, CAST(?3 AS bigint), 1 FROM ${each("?2")} WHERE true
    ON CONFLICT (receiver, memory, event_key) DO UPDATE SET at = excluded.at, count = 1
      WHERE duplicates.at <= ?4 OR duplicates.count = 0
    RETURNING event_key`;

const TAKE = statement("duplicates_take")`
    UPDATE duplicates SET count = count - 1
    WHERE receiver = ?1 AND memory = ?2 AND event_key IN (${textsOf("?3")})
      AND at > ?4 AND count > 0 RETURNING event_key`;

const KEY = "receiver, memory, event_key";

const DELETE_OLD = deleteSlice(
  "duplicates_delete_old",
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

export interface KnownEvent {
  readonly done: boolean;
  readonly seen: boolean;
  /** True if another process has claimed it. */
  readonly elsewhere: boolean;
}

/** Keys of received events. Each change is one statement, so that one process is the first. Throws StoreError. */
export class Duplicates {
  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly receiver: string,
    private readonly limits: DuplicateLimits,
  ) {}

  /** Records each key once more. */
  async record(memory: "done" | "cut", keys: readonly string[]): Promise<void> {
    await this.engine.run([this.#record(memory, keys)]);
  }

  /**
   * Looks up received events, and records them as seen.
   * @param claimed keys that no other process may pass on until they are done, or until `release`
   */
  async meet(keys: readonly string[], claimed: readonly string[] = []): Promise<readonly KnownEvent[]> {
    const { receiver, clock } = this;
    const list = JSON.stringify(claimed.toSorted());
    // The first call waits for other processes with the same keys, so the next ones include their writes.
    const [recorded = [], done, got] = await this.engine.run([
      this.#record("seen", keys),
      call(FIND, receiver, "done", JSON.stringify(keys), this.#oldest("done")),
      ...(claimed.length > 0 ? [call(CLAIM, receiver, list, clock.now(), this.#oldest("claimed"))] : []),
    ]);
    const wasSeen = keysSeenBefore(recorded, keys);
    const isDone = keysOf(done);
    const isMine = keysOf(got);
    const wanted = new Set(claimed);
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

  async release(keys: readonly string[]): Promise<void> {
    await this.take("claimed", keys);
  }

  /** Uses each key up once for each time that it was recorded. @returns false if none remained */
  async take(memory: "cut" | "claimed", keys: readonly string[]): Promise<readonly boolean[]> {
    const taken: boolean[] = keys.map(() => false);
    let places = [...keys.keys()];
    // A repeated key takes as many rounds.
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

  async deleteOld(): Promise<void> {
    for (const memory of MEMORIES) {
      await changeInSlices(this.engine, DELETE_OLD, [this.receiver, memory, this.#oldest(memory)]);
    }
  }

  /** Counts all keys, and deletes the oldest that are too many. */
  async trim(): Promise<void> {
    for (const memory of MEMORIES) {
      const row = await rowOf(this.engine, COUNT, this.receiver, memory);
      let excess = Number(row?.keys ?? 0) - this.limits[memory].most;
      while (excess > 0) {
        const rows = await rowsOf(this.engine, TRIM, this.receiver, Math.min(excess, SLICE), memory);
        excess = rows.length === 0 ? 0 : excess - rows.length;
      }
    }
  }

  #record(memory: Memory, keys: readonly string[]): Call {
    const entries = JSON.stringify([...timesOf(keys)]);
    const values = [this.receiver, memory, entries, this.clock.now(), this.#oldest(memory)];
    return call(RECORD, ...values);
  }

  #oldest(memory: Memory): number {
    return this.clock.now() - this.limits[memory].age;
  }
}

/** Deletes keys older than `age` ms, also of deleted webhooks. @throws StoreError */
export async function deleteOldDuplicates(engine: Engine, clock: Clock, age: number): Promise<void> {
  const rows = await rowsOf(engine, RECEIVERS);
  const limit = { age, most: Number.MAX_SAFE_INTEGER };
  for (const { receiver } of rows) {
    const limits = { done: limit, cut: limit, seen: limit, claimed: limit };
    await new Duplicates(engine, clock, String(receiver), limits).deleteOld();
  }
}

/** Counts each key. Sorted, which prevents deadlocks. */
function timesOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const key of keys.toSorted()) {
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return times;
}

const keysOf = (rows: readonly Row[] = []): Set<string> =>
  new Set(rows.map(({ event_key: key }) => String(key)));

/** Keys that were recorded more often than now. */
const keysSeenBefore = (rows: readonly Row[], keys: readonly string[]): Set<string> => {
  const times = timesOf(keys);
  return keysOf(rows.filter(({ event_key: key, count }) => Number(count) > (times.get(String(key)) ?? 0)));
};
