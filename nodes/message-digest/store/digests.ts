import { randomUUID } from "node:crypto";
import {
  type Emission,
  type EmissionKind,
  type DigestCounts,
  type DigestOrder,
  MOST_KEYS,
  type NewItem,
  SENSITIVE_KEY,
  SET_BACK,
  tooManyKeys,
} from "./digest";
import { orderDigests } from "./digest-orders";
import { groupBy } from "../../../lib/shared/group-by";
import { Batches } from "../../../lib/store/engine/batches";
import type { Clock } from "../../../lib/store/engine/clock";
import type { Call, Engine, Row } from "../../../lib/store/engine/engine";
import { call, numberOrNull, rowOf, rowsOf } from "../../../lib/store/engine/query";
import {
  among,
  awaited,
  chosen,
  each,
  greatest,
  least,
  lookUp,
  placeOf,
  sql,
} from "../../../lib/store/schema/sql";
import { statement } from "../../../lib/store/schema/statement";

/** Whether a digest is due, rather than its end. */
const HAS_DIGEST = "count > 0 AND muted = 0";
/** Time of the next emission. */
const WAKE = sql`CASE WHEN ${HAS_DIGEST} THEN next_at ELSE ${greatest("next_at", "last_at + quiet")} END`;

/** Whether a message is a first one again. A key with a pending digest has not ended. */
const IS_FRESH = `CASE WHEN digests.phase IS NULL
        THEN NOT (digests.count > 0 AND digests.muted = 0) AND digests.next_at <= CAST(?3 AS bigint)
          AND digests.last_at + digests.quiet <= CAST(?3 AS bigint)
        ELSE digests.phase = 'ended' AND digests.count = 0 END`;

/** Keys of a node. A new one comes only where there is room for it and all those before it in the list. */
const ofNode = "k.account = CAST(?2 AS text) AND k.node = CAST(?4 AS text)";
const HAS_ROOM = sql`(SELECT count(*) FROM (SELECT k.id FROM digests k WHERE ${ofNode} LIMIT ${MOST_KEYS}) l) + ${placeOf()} < ${MOST_KEYS}`;

/** Whether a muted key has ended before the new message. The next scan emits that end. */
const ENDS_MUTED = `digests.phase IS NULL AND digests.muted = 1 AND digests.count > 0 AND ${IS_FRESH}`;
const EMISSION_COLUMNS = {
  batch: "batch",
  count: "count",
  total: "total",
  started_at: "started_at",
  message: "message",
  item: "last_item",
};
const emissionNow = Object.entries(EMISSION_COLUMNS)
  .map(
    ([name, from]) =>
      `emission_${name} = CASE WHEN ${ENDS_MUTED} THEN digests.${from} ELSE digests.emission_${name} END`,
  )
  .join(", ");

/** Whole periods after the first digest. */
const NEXT_AT = `CASE WHEN ${IS_FRESH} THEN excluded.next_at
        WHEN digests.count = 0 AND digests.next_at < CAST(?3 AS bigint)
          THEN digests.next_at + (CAST(?3 AS bigint) - digests.next_at + excluded.every - 1) / excluded.every * excluded.every
        ELSE digests.next_at END`;

// Entries of ?1: key, every, quiet, wait, number of messages, message and item of the newest one. Always in the order of the keys: those
// who add at the same time do not wait for each other.
// The next emission is no later than that of a new key, because the clock may have been set back.
export const ADD_TO_DIGESTS = statement("digests_add")`
    INSERT INTO digests (account, node, digest_key, every, quiet, started_at, last_at, next_at, wake_at, muted, total, count, batch, message, last_item)
    SELECT CAST(?2 AS text), CAST(?4 AS text), e.value ->> 0, CAST(e.value ->> 1 AS bigint), CAST(e.value ->> 2 AS bigint),
      CAST(?3 AS bigint), CAST(?3 AS bigint), CAST(?3 AS bigint) + CAST(e.value ->> 3 AS bigint), 0, 0,
      CAST(e.value ->> 4 AS bigint), CAST(e.value ->> 4 AS bigint), 1, e.value ->> 5, e.value ->> 6
    FROM ${each("?1")}
    WHERE ${HAS_ROOM} OR EXISTS (SELECT 1 FROM digests k WHERE ${ofNode} AND k.digest_key = e.value ->> 0) ORDER BY e.value ->> 0
    ON CONFLICT (account, node, digest_key) DO UPDATE SET
      every = excluded.every, quiet = excluded.quiet, last_at = excluded.last_at, message = excluded.message, last_item = excluded.last_item,
      started_at = CASE WHEN ${IS_FRESH} THEN excluded.started_at ELSE digests.started_at END,
      phase = CASE WHEN ${ENDS_MUTED} THEN 'ended' ELSE digests.phase END, ${emissionNow},
      batch = digests.batch + CASE WHEN ${ENDS_MUTED} THEN 1 ELSE 0 END,
      total = excluded.total + CASE WHEN ${ENDS_MUTED} THEN 0 WHEN ${IS_FRESH} THEN digests.count ELSE digests.total END,
      muted = CASE WHEN ${IS_FRESH} THEN 0 ELSE digests.muted END,
      next_at = ${least(NEXT_AT, greatest("excluded.next_at", "CAST(?3 AS bigint) + excluded.every"))},
      count = excluded.count + CASE WHEN ${ENDS_MUTED} THEN 0 ELSE digests.count END`;

const rowOfEntry = lookUp(
  "digests",
  "d",
  "d.account = CAST(?2 AS text) AND d.node = CAST(?3 AS text) AND d.digest_key = e.value ->> 0",
);

// Entries of ?1: key, how many messages of the operation come after it, items of a digest, item.
const ADD_ITEMS = statement("digests_add_items")`
    INSERT INTO digest_items (digest, batch, idx, item)
    SELECT d.id, d.batch, d.count - CAST(e.value ->> 1 AS bigint), e.value ->> 3
    FROM ${each("?1")} ${rowOfEntry}
    WHERE d.count - CAST(e.value ->> 1 AS bigint) <= CAST(e.value ->> 2 AS bigint)`;

const SET_WAKE = statement("digests_set_wake")`
    UPDATE digests SET wake_at = ${WAKE}
    WHERE id ${among(sql`SELECT d.id FROM ${each("?1")} ${rowOfEntry}`)} 
    RETURNING digest_key, CASE WHEN phase = 'ended' AND owner IS NULL THEN 0 ELSE wake_at END AS wake_at`;

// ?1 account, ?2 node, ?3 now, ?4 time of the newest message where the clock was not set back. All times stay as far from the last message.
const CORRECT_TIMES = statement("digests_correct_times")`
    UPDATE digests SET next_at = next_at - last_at + CAST(?3 AS bigint), wake_at = wake_at - last_at + CAST(?3 AS bigint), last_at = CAST(?3 AS bigint)
    WHERE id ${chosen(sql`SELECT d.id FROM digests d
      WHERE d.account = ?1 AND d.node = ?2 AND d.last_at > ?4 ORDER BY d.last_at LIMIT ${MOST_KEYS}`)}`;

// ?1 account, ?2 node, ?3 process, ?4 how many, ?5 name of the emission, ?6 now.
const CLAIM_DUE = statement("digests_claim_due")`
    UPDATE digests SET phase = CASE WHEN ${HAS_DIGEST} THEN 'digest' ELSE 'ended' END,
      owner = ?3, emission = CAST(?5 AS text) || id, restored = 0,
      emission_batch = batch, emission_count = count, emission_total = total, emission_started_at = started_at, emission_message = message, emission_item = last_item,
      batch = batch + 1, count = 0, next_at = CASE WHEN ${HAS_DIGEST} THEN CAST(?6 AS bigint) + every ELSE next_at END
    WHERE id ${chosen(sql`SELECT d.id FROM digests d
      WHERE d.account = ?1 AND d.node = ?2 AND d.phase IS NULL AND d.wake_at <= CAST(?6 AS bigint) ORDER BY d.wake_at, d.id LIMIT ?4`)}
      AND coalesce(phase, '') = ''`;

const isEmitting = "d.account = ?1 AND d.node = ?2 AND d.phase IS NOT NULL";

// Released emissions have no owner. Another process may adopt the same: once PostgreSQL has the row, it repeats a count, but not NOT
// EXISTS.
const ADOPT = statement("digests_adopt")`
    UPDATE digests SET owner = ?3, emission = CAST(?5 AS text) || id, restored = CASE WHEN owner IS NULL THEN restored ELSE 1 END
    WHERE id ${chosen(sql`SELECT d.id FROM digests d
      WHERE ${isEmitting} AND (SELECT count(*) FROM instances i WHERE i.id = d.owner AND i.expired_at IS NULL) = 0
      ORDER BY d.id LIMIT ?4`)} AND phase IN ('digest', 'ended')`;

const emitting = sql`SELECT d.* FROM digests d WHERE ${isEmitting} AND d.owner = ?3 ORDER BY d.id LIMIT ?4`;

const EMITTING = statement("digests_emitting")`
    SELECT l.id, l.emission_batch, l.emission, l.phase, l.digest_key, l.emission_count, l.emission_total, l.emission_started_at, l.emission_item, l.emission_message, l.restored
    FROM (${emitting}) l ORDER BY l.id`;
const EMITTING_ITEMS = statement("digests_emitting_items")`
    SELECT o.digest, o.item FROM (${emitting}) l ${lookUp("digest_items", "o", "o.digest = l.id AND o.batch = l.emission_batch")}
    ORDER BY o.digest, o.idx`;

// Entries of ?1: id, emission. Dropped items are in earlier batches.
const emitted = sql`SELECT d.id, d.emission_batch FROM ${each("?1")}
      ${lookUp("digests", "d", "d.id = CAST(e.value ->> 0 AS bigint)")} WHERE d.emission = e.value ->> 1`;
/** Locks rows in the order of `add`, so that additions to these keys finish first. */
const LOCK = statement("digests_lock")`
    SELECT count(*) AS locked FROM digests o
    WHERE o.id ${awaited(sql`SELECT d.id FROM digests d WHERE d.id ${among(sql`SELECT l.id FROM (${emitted}) l`)} ORDER BY d.digest_key`)}`;
const DELETE_ITEMS = statement("digests_delete_items")`
    DELETE FROM digest_items WHERE (digest, batch, idx) IN (
      SELECT o.digest, o.batch, o.idx FROM (${emitted}) l ${lookUp("digest_items", "o", "o.digest = l.id AND o.batch <= l.emission_batch")})`;
const END = statement("digests_end")`
    DELETE FROM digests WHERE id ${among(sql`SELECT l.id FROM (${emitted}) l`)} AND phase = 'ended' AND count = 0`;
const CONTINUE = statement("digests_continue")`
    UPDATE digests SET phase = NULL, owner = NULL, emission = NULL, restored = 0, emission_message = NULL, emission_item = NULL, wake_at = ${WAKE}
    WHERE id ${among(sql`SELECT l.id FROM (${emitted}) l`)} AND phase IN ('digest', 'ended')`;

const RELEASE = statement("digests_release")`
    UPDATE digests SET owner = NULL, restored = ${greatest("restored", "CAST(?2 AS integer)")} WHERE id ${among(sql`SELECT l.id FROM (${emitted}) l`)}`;

const NEXT_WAKE = statement("digests_next_wake")`
    SELECT d.wake_at FROM digests d WHERE d.account = ?1 AND d.node = ?2 AND d.phase IS NULL ORDER BY d.wake_at, d.id LIMIT 1`;

const COUNT = statement("digests_count")`
    SELECT count(CASE WHEN l.count > 0 THEN 1 END) AS keys, coalesce(sum(l.count), 0) AS gathered, coalesce(sum(l.muted), 0) AS muted,
      min(CASE WHEN l.count > 0 AND l.muted = 0 THEN l.next_at END) AS next
    FROM (SELECT d.count, d.muted, d.next_at FROM digests d WHERE d.account = ?1 AND d.node = ?2 LIMIT ${MOST_KEYS}) l`;

const GATHERED = statement("digests_gathered")`
    SELECT coalesce(sum(l.gathered), 0) AS gathered FROM (SELECT d.count + CASE WHEN d.phase IS NULL THEN 0 ELSE d.emission_count END AS gathered
      FROM digests d WHERE d.account = ?1 LIMIT ${MOST_KEYS}) l`;

/** Counts messages of all nodes of an account that are not sent, of at most `MOST_KEYS` keys. */
export const countGathered = async (engine: Engine, account: string): Promise<number> =>
  Number((await rowOf(engine, GATHERED, account))?.gathered ?? 0);

interface Adding {
  readonly node: string;
  readonly item: NewItem;
}

/** Digests of an account. Several processes may collect together; one of them emits. Every call may throw StoreError. */
export class Digests {
  readonly #adds = this.#batches();
  /** For keys without room in their batch, some of which may exist already. */
  readonly #again = this.#batches();
  /** The latest epoch ms of this process. */
  #latest = 0;

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly account: string,
  ) {}

  /**
   * Adds a message. After an uncertain error it may be added.
   * @returns epoch ms of the next emission of its key
   * @throws MessagingError DIGEST_FULL
   */
  async add(node: string, item: NewItem): Promise<number> {
    const adding = { node, item: item.sensitive ? { ...item, key: SENSITIVE_KEY + item.key } : item };
    const wake = (await this.#adds.add(adding)) ?? (await this.#again.add(adding));
    if (wake === null) {
      throw tooManyKeys();
    }
    return wake;
  }

  #batches(): Batches<Adding, number | null> {
    return new Batches(
      (all) => this.#addAll(all),
      ({ item }) => item.message.length + item.item.length * 2,
    );
  }

  /** Reads the clock. Different clocks of processes do not count as set back. */
  #readClock(): { readonly now: number; readonly isSetBack: boolean } {
    const now = this.clock.now();
    this.#latest = Math.max(this.#latest, now);
    return { now, isSetBack: this.engine.exclusive || now + SET_BACK < this.#latest };
  }

  /** @returns null for keys without room */
  async #addAll(all: readonly Adding[]): Promise<readonly (number | null)[]> {
    const byNode = [...groupBy(all, ({ node }) => node)].sort(([a], [b]) => (a < b ? -1 : 1));
    const { now } = this.#readClock();
    const calls = byNode.map(([node, adding]) => {
      const byKey = groupBy(
        adding.map(({ item }) => item),
        ({ key }) => key,
      );
      return this.#addCalls(node, [...byKey], now);
    });
    const results = await this.engine.run(calls.flat());
    const wakes = new Map<string, number>();
    for (const [at, [node]] of byNode.entries()) {
      for (const { digest_key, wake_at } of results[at * 3 + 2] ?? []) {
        wakes.set(JSON.stringify([node, digest_key]), Number(wake_at));
      }
    }
    return all.map(({ node, item }) => wakes.get(JSON.stringify([node, item.key])) ?? null);
  }

  /** Three calls. */
  #addCalls(
    node: string,
    byKey: readonly (readonly [string, readonly NewItem[]])[],
    now: number,
  ): readonly Call[] {
    const entries = byKey.map(([key, items]) => {
      const { every, quiet, wait, message, item } = items.at(-1) as NewItem;
      return [key, every, quiet, wait, items.length, message, item];
    });
    const items = byKey.flatMap(([key, all]) =>
      all.slice(0, all[0]?.most).map(({ most, item }, at) => [key, all.length - 1 - at, most, item]),
    );
    const keys = JSON.stringify(byKey.map(([key]) => [key]));
    return [
      call(ADD_TO_DIGESTS, JSON.stringify(entries), this.account, now, node),
      call(ADD_ITEMS, JSON.stringify(items), this.account, node),
      call(SET_WAKE, keys, this.account, node),
    ];
  }

  /** Claims due emissions of a node, and returns earlier claims, also of expired instances. */
  async claimEmissions(node: string, owner: string, most: number): Promise<readonly Emission[]> {
    const own = [this.account, node, owner, most] as const;
    const name = `${randomUUID()}-`;
    const { now, isSetBack } = this.#readClock();
    const results = await this.engine.run([
      ...(isSetBack ? [call(CORRECT_TIMES, this.account, node, now, now + SET_BACK)] : []),
      call(CLAIM_DUE, ...own, name, now),
      call(ADOPT, ...own, name),
      call(EMITTING, ...own),
      call(EMITTING_ITEMS, ...own),
    ]);
    const [rows = [], items = []] = results.slice(-2);
    if (isSetBack) {
      this.#latest = now;
    }
    const byDigest = groupBy(items, ({ digest }) => Number(digest));
    return rows.map((row) => toEmission(row, byDigest.get(Number(row.id)) ?? []));
  }

  /** Deletes what was emitted. May be repeated. */
  async emitted(emissions: readonly Emission[]): Promise<void> {
    const entries = entriesOf(emissions);
    await this.engine.run([LOCK, DELETE_ITEMS, END, CONTINUE].map((each) => call(each, entries)));
  }

  /**
   * Releases claimed emissions to any process. May be repeated.
   * @param restored true if they may have been emitted
   */
  async release(emissions: readonly Emission[], restored: boolean): Promise<void> {
    const entries = entriesOf(emissions);
    await this.engine.run([call(LOCK, entries), call(RELEASE, entries, restored ? 1 : 0)]);
  }

  /** @param key null for all keys of the node */
  async order(node: string, key: string | null, order: DigestOrder): Promise<void> {
    await orderDigests(this.engine, order, [this.account, node, key], this.clock.now());
  }

  /** Epoch ms of the next emission of a node; null without one. */
  async nextWake(node: string): Promise<number | null> {
    return numberOrNull((await rowOf(this.engine, NEXT_WAKE, this.account, node))?.wake_at);
  }

  async counts(node: string): Promise<DigestCounts> {
    const [row] = await rowsOf(this.engine, COUNT, this.account, node);
    return {
      keys: Number(row?.keys ?? 0),
      gathered: Number(row?.gathered ?? 0),
      muted: Number(row?.muted ?? 0),
      next: numberOrNull(row?.next),
    };
  }
}

function toEmission(row: Row, items: readonly Row[]): Emission {
  const key = String(row.digest_key);
  const sensitive = key.startsWith(SENSITIVE_KEY);
  return {
    id: Number(row.id),
    batch: Number(row.emission_batch),
    emission: String(row.emission),
    kind: String(row.phase) as EmissionKind,
    key: sensitive ? key.slice(SENSITIVE_KEY.length) : key,
    count: Number(row.emission_count),
    total: Number(row.emission_total),
    startedAt: Number(row.emission_started_at),
    items: items.map(({ item }) => String(item)),
    lastItem: String(row.emission_item),
    message: String(row.emission_message),
    sensitive,
    restored: Number(row.restored) === 1,
  };
}

const entriesOf = (emissions: readonly Emission[]): string =>
  JSON.stringify(emissions.map(({ id, emission }) => [id, emission]));
