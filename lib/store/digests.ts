import { randomUUID } from "node:crypto";
import {
  type Departure,
  type DepartureKind,
  type DigestCounts,
  type DigestOrder,
  MOST_KEYS,
  type NewItem,
  SENSITIVE_KEY,
  SET_BACK,
  tooManyKeys,
} from "./digest";
import { orderDigests } from "./digest-orders";
import { Batches } from "./engine/batches";
import type { Clock } from "./engine/clock";
import type { Call, Engine, Row } from "./engine/engine";
import { call, numberOrNull, rowOf, rowsOf } from "./engine/query";
import { among, awaited, chosen, each, greatest, least, lookUp, placeOf, sql } from "./schema/sql";
import { statement } from "./schema/statement";

/** Whether what waits leaves as a digest. */
const HAS_DIGEST = "count > 0 AND muted = 0";
/** When something has to leave: a digest, or that it is over. */
const WAKE = sql`CASE WHEN ${HAS_DIGEST} THEN next_at ELSE ${greatest("next_at", "last_at + quiet")} END`;

/**
 * Whether a message is a first one again: what is over is leaving, or would leave now. A key with a digest that has not left is not over.
 */
const IS_FRESH = `CASE WHEN digests.phase IS NULL
        THEN NOT (digests.count > 0 AND digests.muted = 0) AND digests.next_at <= CAST(?3 AS bigint)
          AND digests.last_at + digests.quiet <= CAST(?3 AS bigint)
        ELSE digests.phase = 'over' AND digests.count = 0 END`;

/** Keys of a node. A new one comes only where there is room for it and all those before it in the list. */
const ofNode = "k.account = CAST(?2 AS text) AND k.node = CAST(?4 AS text)";
const HAS_ROOM = sql`(SELECT count(*) FROM (SELECT k.id FROM digests k WHERE ${ofNode} LIMIT ${MOST_KEYS}) l) + ${placeOf()} < ${MOST_KEYS}`;

/** Whether what was muted leaves first, with what is over: nobody has said so yet. It is left by whoever looks next. */
const ENDS_MUTED = `digests.phase IS NULL AND digests.muted = 1 AND digests.count > 0 AND ${IS_FRESH}`;
const LEFT_COLUMNS = {
  batch: "batch",
  count: "count",
  total: "total",
  begun: "begun_at",
  message: "message",
  item: "last_item",
};
const leftNow = Object.entries(LEFT_COLUMNS)
  .map(
    ([name, from]) =>
      `left_${name} = CASE WHEN ${ENDS_MUTED} THEN digests.${from} ELSE digests.left_${name} END`,
  )
  .join(", ");

/** Whole periods after the first digest. */
const NEXT_AT = `CASE WHEN ${IS_FRESH} THEN excluded.next_at
        WHEN digests.count = 0 AND digests.next_at < CAST(?3 AS bigint)
          THEN digests.next_at + (CAST(?3 AS bigint) - digests.next_at + excluded.every - 1) / excluded.every * excluded.every
        ELSE digests.next_at END`;

// Entries of ?1: key, every, quiet, wait, number of messages, message and item of the newest one. Always in the order of the keys: those
// who add at the same time do not wait for each other.
// No digest is further away than a new one would be: the clock may have been set back.
export const ADD_TO_DIGESTS = statement("digests_add")`
    INSERT INTO digests (account, node, digest_key, every, quiet, begun_at, first_at, last_at, next_at, wake_at, muted, total, count, batch, message, last_item)
    SELECT CAST(?2 AS text), CAST(?4 AS text), e.value ->> 0, CAST(e.value ->> 1 AS bigint), CAST(e.value ->> 2 AS bigint),
      CAST(?3 AS bigint), CAST(?3 AS bigint), CAST(?3 AS bigint), CAST(?3 AS bigint) + CAST(e.value ->> 3 AS bigint), 0, 0,
      CAST(e.value ->> 4 AS bigint), CAST(e.value ->> 4 AS bigint), 1, e.value ->> 5, e.value ->> 6
    FROM ${each("?1")}
    WHERE ${HAS_ROOM} OR EXISTS (SELECT 1 FROM digests k WHERE ${ofNode} AND k.digest_key = e.value ->> 0) ORDER BY e.value ->> 0
    ON CONFLICT (account, node, digest_key) DO UPDATE SET
      every = excluded.every, quiet = excluded.quiet, last_at = excluded.last_at, message = excluded.message, last_item = excluded.last_item,
      begun_at = CASE WHEN ${IS_FRESH} THEN excluded.begun_at ELSE digests.begun_at END,
      phase = CASE WHEN ${ENDS_MUTED} THEN 'over' ELSE digests.phase END, ${leftNow},
      batch = digests.batch + CASE WHEN ${ENDS_MUTED} THEN 1 ELSE 0 END,
      first_at = CASE WHEN digests.count = 0 OR ${ENDS_MUTED} THEN excluded.first_at ELSE digests.first_at END,
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
    INSERT INTO digest_items (digest, batch, place, item)
    SELECT d.id, d.batch, d.count - CAST(e.value ->> 1 AS bigint), e.value ->> 3
    FROM ${each("?1")} ${rowOfEntry}
    WHERE d.count - CAST(e.value ->> 1 AS bigint) <= CAST(e.value ->> 2 AS bigint)`;

const SET_WAKE = statement("digests_set_wake")`
    UPDATE digests SET wake_at = ${WAKE}
    WHERE id ${among(sql`SELECT d.id FROM ${each("?1")} ${rowOfEntry}`)} 
    RETURNING digest_key, CASE WHEN phase = 'over' AND owner IS NULL THEN 0 ELSE wake_at END AS wake_at`;

// ?1 account, ?2 node, ?3 now, ?4 time of the newest message where the clock was not set back. All times stay as far from the last message.
const COME_NEAR = statement("digests_come_near")`
    UPDATE digests SET next_at = next_at - last_at + CAST(?3 AS bigint), wake_at = wake_at - last_at + CAST(?3 AS bigint), last_at = CAST(?3 AS bigint)
    WHERE id ${chosen(sql`SELECT d.id FROM digests d
      WHERE d.account = ?1 AND d.node = ?2 AND d.last_at > ?4 ORDER BY d.last_at LIMIT ${MOST_KEYS}`)}`;

// ?1 account, ?2 node, ?3 process, ?4 how many, ?5 name of the departure, ?6 now.
const TAKE_DUE = statement("digests_take_due")`
    UPDATE digests SET phase = CASE WHEN ${HAS_DIGEST} THEN 'digest' ELSE 'over' END,
      owner = ?3, departure = CAST(?5 AS text) || id, restored = 0,
      left_batch = batch, left_count = count, left_total = total, left_begun = begun_at, left_message = message, left_item = last_item,
      batch = batch + 1, count = 0, next_at = CASE WHEN ${HAS_DIGEST} THEN CAST(?6 AS bigint) + every ELSE next_at END
    WHERE id ${chosen(sql`SELECT d.id FROM digests d
      WHERE d.account = ?1 AND d.node = ?2 AND d.phase IS NULL AND d.wake_at <= CAST(?6 AS bigint) ORDER BY d.wake_at, d.id LIMIT ?4`)}
      AND coalesce(phase, '') = ''`;

const isLeaving = "d.account = ?1 AND d.node = ?2 AND d.phase IS NOT NULL";

// What no process has taken, or one has given back, has no owner. Another process may adopt the same: PostgreSQL asks again who lives once it has
// the row, which it does not do for NOT EXISTS.
const ADOPT = statement("digests_adopt")`
    UPDATE digests SET owner = ?3, departure = CAST(?5 AS text) || id, restored = CASE WHEN owner IS NULL THEN restored ELSE 1 END
    WHERE id ${chosen(sql`SELECT d.id FROM digests d
      WHERE ${isLeaving} AND (SELECT count(*) FROM instances i WHERE i.id = d.owner AND i.expired_at IS NULL) = 0
      ORDER BY d.id LIMIT ?4`)} AND phase IN ('digest', 'over')`;

/** In the order in which their messages began: an alarm leaves before that it is over. */
const leaving = sql`SELECT d.* FROM digests d WHERE ${isLeaving} AND d.owner = ?3 ORDER BY d.id LIMIT ?4`;

const LEAVING = statement("digests_leaving")`
    SELECT l.id, l.left_batch, l.departure, l.phase, l.digest_key, l.left_count, l.left_total, l.left_begun, l.left_item, l.left_message, l.restored
    FROM (${leaving}) l ORDER BY l.id`;
const LEAVING_ITEMS = statement("digests_leaving_items")`
    SELECT o.digest, o.item FROM (${leaving}) l ${lookUp("digest_items", "o", "o.digest = l.id AND o.batch = l.left_batch")}
    ORDER BY o.digest, o.place`;

// Entries of ?1: id, departure. What was dropped is in batches before the one that has left.
const left = sql`SELECT d.id, d.left_batch FROM ${each("?1")}
      ${lookUp("digests", "d", "d.id = CAST(e.value ->> 0 AS bigint)")} WHERE d.departure = e.value ->> 1`;
/** Rows that are locked in the order of those who add: what is under way for one of these keys is done before. */
const LOCK_LEFT = statement("digests_lock_left")`
    SELECT count(*) AS locked FROM digests o
    WHERE o.id ${awaited(sql`SELECT d.id FROM digests d WHERE d.id ${among(sql`SELECT l.id FROM (${left}) l`)} ORDER BY d.digest_key`)}`;
const FORGET_ITEMS = statement("digests_forget_items")`
    DELETE FROM digest_items WHERE (digest, batch, place) IN (
      SELECT o.digest, o.batch, o.place FROM (${left}) l ${lookUp("digest_items", "o", "o.digest = l.id AND o.batch <= l.left_batch")})`;
const END = statement("digests_end")`
    DELETE FROM digests WHERE id ${among(sql`SELECT l.id FROM (${left}) l`)} AND phase = 'over' AND count = 0`;
const GO_ON = statement("digests_go_on")`
    UPDATE digests SET phase = NULL, owner = NULL, departure = NULL, restored = 0, left_message = NULL, left_item = NULL, wake_at = ${WAKE}
    WHERE id ${among(sql`SELECT l.id FROM (${left}) l`)} AND phase IN ('digest', 'over')`;

const GIVE_BACK = statement("digests_give_back")`
    UPDATE digests SET owner = NULL, restored = ${greatest("restored", "CAST(?2 AS integer)")} WHERE id ${among(sql`SELECT l.id FROM (${left}) l`)}`;

const NEXT_WAKE = statement("digests_next_wake")`
    SELECT d.wake_at FROM digests d WHERE d.account = ?1 AND d.node = ?2 AND d.phase IS NULL ORDER BY d.wake_at, d.id LIMIT 1`;

const COUNT = statement("digests_count")`
    SELECT count(CASE WHEN l.count > 0 THEN 1 END) AS keys, coalesce(sum(l.count), 0) AS gathered, coalesce(sum(l.muted), 0) AS muted,
      min(CASE WHEN l.count > 0 AND l.muted = 0 THEN l.next_at END) AS next
    FROM (SELECT d.count, d.muted, d.next_at FROM digests d WHERE d.account = ?1 AND d.node = ?2 LIMIT ${MOST_KEYS}) l`;

const GATHERED = statement("digests_gathered")`
    SELECT coalesce(sum(l.gathered), 0) AS gathered FROM (SELECT d.count + CASE WHEN d.phase IS NULL THEN 0 ELSE d.left_count END AS gathered
      FROM digests d WHERE d.account = ?1 LIMIT ${MOST_KEYS}) l`;

interface Adding {
  readonly node: string;
  readonly item: NewItem;
}

/**
 * What the message-digest nodes of an account have gathered. Several processes may gather together; one of them sends. `node` is the
 * identity of a node. Every call throws StoreError.
 */
export class Digests {
  readonly #adds = this.#batches();
  /** Of keys for which there was no room with those before them, some of which may have a row already. */
  readonly #again = this.#batches();
  /** The latest epoch ms that this process has seen. */
  #latest = 0;

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly account: string,
  ) {}

  /**
   * @returns epoch ms at which something of its key has to leave. After an uncertain error it may have been gathered.
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

  /** Its clock, and whether that was set back. Processes have clocks of their own, which do not count as such. */
  #look(): { readonly now: number; readonly isSetBack: boolean } {
    const now = this.clock.now();
    this.#latest = Math.max(this.#latest, now);
    return { now, isSetBack: this.engine.exclusive || now + SET_BACK < this.#latest };
  }

  /** @returns null for those for whose key there is no room */
  async #addAll(all: readonly Adding[]): Promise<readonly (number | null)[]> {
    const byNode = [...groupBy(all, ({ node }) => node)].sort(([a], [b]) => (a < b ? -1 : 1));
    const { now } = this.#look();
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
      // What comes behind these is listed in no case.
      all.slice(0, all[0]?.most).map(({ most, item }, at) => [key, all.length - 1 - at, most, item]),
    );
    const keys = JSON.stringify(byKey.map(([key]) => [key]));
    return [
      call(ADD_TO_DIGESTS, JSON.stringify(entries), this.account, now, node),
      call(ADD_ITEMS, JSON.stringify(items), this.account, node),
      call(SET_WAKE, keys, this.account, node),
    ];
  }

  /**
   * What has to leave a node, which is this process's until `left`. Also what it has taken before, and what processes took
   * that have ended.
   */
  async depart(node: string, owner: string, most: number): Promise<readonly Departure[]> {
    const own = [this.account, node, owner, most] as const;
    const name = `${randomUUID()}-`;
    const { now, isSetBack } = this.#look();
    const results = await this.engine.run([
      ...(isSetBack ? [call(COME_NEAR, this.account, node, now, now + SET_BACK)] : []),
      call(TAKE_DUE, ...own, name, now),
      call(ADOPT, ...own, name),
      call(LEAVING, ...own),
      call(LEAVING_ITEMS, ...own),
    ]);
    const [rows = [], items = []] = results.slice(-2);
    if (isSetBack) {
      this.#latest = now;
    }
    const byDigest = groupBy(items, ({ digest }) => Number(digest));
    return rows.map((row) => toDeparture(row, byDigest.get(Number(row.id)) ?? []));
  }

  /** It has left its node. May be repeated. */
  async left(_node: string, departures: readonly Departure[]): Promise<void> {
    const entries = entriesOf(departures);
    await this.engine.run([LOCK_LEFT, FORGET_ITEMS, END, GO_ON].map((each) => call(each, entries)));
  }

  /**
   * This process does not send it: it, or another one, may later. May be repeated.
   * @param restored whether it may have left its node nevertheless
   */
  async giveBack(_node: string, departures: readonly Departure[], restored: boolean): Promise<void> {
    const entries = entriesOf(departures);
    await this.engine.run([call(LOCK_LEFT, entries), call(GIVE_BACK, entries, restored ? 1 : 0)]);
  }

  /** @param key null for all keys of the node */
  async order(node: string, key: string | null, order: DigestOrder): Promise<void> {
    await orderDigests(this.engine, order, [this.account, node, key], this.clock.now());
  }

  /** Epoch ms at which something has to leave a node; null where nothing has. */
  async nextWake(node: string): Promise<number | null> {
    return numberOrNull((await rowOf(this.engine, NEXT_WAKE, this.account, node))?.wake_at);
  }

  /** Messages of all nodes that have not left, of at most 10,000 keys. */
  async gathered(): Promise<number> {
    return Number((await rowOf(this.engine, GATHERED, this.account))?.gathered ?? 0);
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

function toDeparture(row: Row, items: readonly Row[]): Departure {
  const key = String(row.digest_key);
  const sensitive = key.startsWith(SENSITIVE_KEY);
  return {
    id: Number(row.id),
    batch: Number(row.left_batch),
    departure: String(row.departure),
    kind: String(row.phase) as DepartureKind,
    key: sensitive ? key.slice(SENSITIVE_KEY.length) : key,
    count: Number(row.left_count),
    total: Number(row.left_total),
    begunAt: Number(row.left_begun),
    items: items.map(({ item }) => String(item)),
    lastItem: String(row.left_item),
    message: String(row.left_message),
    sensitive,
    restored: Number(row.restored) === 1,
  };
}

const entriesOf = (departures: readonly Departure[]): string =>
  JSON.stringify(departures.map(({ id, departure }) => [id, departure]));

function groupBy<Key, Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => Key): Map<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(entry);
  }
  return groups;
}
