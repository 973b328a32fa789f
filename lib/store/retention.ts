import type { Call } from "./engine/engine";
import { storeFeatures } from "./feature";
import { DELETE_QUOTA_USAGE } from "./guards/limits";
import { DELETE_KEYS, KEYS_OF_NUMBER } from "./guards/idempotency-keys";
import { ADD_OUTBOX_AGAIN } from "./history/send-again";
import { ADD_MESSAGES, ADD_OUTBOX } from "./jobs/job-statements";
import { isPerson } from "./schema/person";
import { among, each, idOf, sql } from "./schema/sql";
import { deleteSlice, type Statement, statement } from "./schema/statement";
import { call, changeInSlices, rowOf, rowsOf } from "./engine/query";
import { Repository } from "./engine/repository";
import { sliced } from "./engine/sliced";
import { ADD as ADD_WAITS } from "./waits/start-statements";
import { deleteWaits, REPLIES_OF_NUMBER } from "./waits/delete-waits";
import { getAccount, isOfAccount } from "./schema/scope";

/** What was deleted about a number. */
export interface Deleted {
  /** Entries of the number as a recipient. */
  readonly recipients: number;
  readonly events: number;
  /** Entries that are still on their way; they stay. Cancel or wait, then delete again. */
  readonly open: number;
  /** Messages that nodes had gathered in digests that name the number. They leave no more. */
  readonly gathered: number;
}

/**
 * Rows that are deleted at an age, read from the oldest to younger ones: what has to stay, or is another account's, is passed by, and not
 * read again by each slice.
 */
interface Walk {
  /** Finds the next rows. ?1 epoch ms below which they are old, ?2 and ?3 time and id of the last one, ?4 how many, ?5 account. */
  readonly find: Statement;
  /** Says which of them are no longer needed. ?1 their ids, ?2 as above. */
  readonly done: Statement;
  /** Deletes what belongs to them and may be many rows for each. ?1 their ids, ?2 how many rows. */
  readonly dropParts: readonly Statement[];
  /** Deletes them after that, with at most one row of other tables for each. ?1 and ?2 as above. */
  readonly drop: readonly Statement[];
}

const find = (table: string, time: string, further = "true"): Statement =>
  statement(`retention_find_${table}`)`
    SELECT o.id, o.${time} AS at, CASE WHEN ${isOfAccount("o.account", "?5")} THEN 1 ELSE 0 END AS mine FROM ${table} o
      WHERE ${further} AND o.${time} < ?1 AND o.${time} >= ?2 AND (o.${time}, o.id) > (?2, ?3)
      ORDER BY o.${time}, o.id LIMIT ?4`;

const done = (table: string, condition: string, name = table): Statement =>
  statement(`retention_done_${name}`)`
    SELECT o.id FROM ${each("?1")} CROSS JOIN ${table} o
      WHERE o.id = ${idOf()} AND ${condition}`;

/** Deletes rows of what has one of the ids. @param key of the table @param from FROM and WHERE; ends with a condition on the id */
const drop = (table: string, key: string, from: string, further = "true"): Statement =>
  statement(`retention_drop_${table}`)`
    DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key.replaceAll(/\w+/g, "o.$&")} FROM ${each("?1")} CROSS JOIN ${from} = ${idOf()}
        AND ${further} LIMIT ?2) RETURNING 1 AS one`;

const none = (rows: string): string => `NOT EXISTS (SELECT 1 FROM ${rows})`;

/** No wait needs a request. @param which condition on a row `w` of `wait_recipients` */
const isNotAwaited = (which: string): string =>
  none(`wait_recipients w WHERE ${which} AND w.outcome IS NULL`);

const EVICTED = 500;

const FIND_MESSAGES = find("messages", "accepted_at", "o.account = ?5");
const DROP_PARTS = [
  drop("recipients", "request, idx", "recipients o WHERE o.request"),
  drop("reservations", "request, idx", "reservations o WHERE o.request"),
];
const DROP_MESSAGES = [
  drop("policies", "id", "policies o WHERE o.id"),
  drop("texts", "id", "texts o WHERE o.id"),
  // The snapshot of a list whose id is that of no request.
  statement("retention_drop_snapshots")`
    DELETE FROM texts WHERE content IS NULL AND id ${among(sql`
      SELECT m.job FROM ${each("?1")} CROSS JOIN messages m WHERE m.id = ${idOf()} LIMIT ?2`)}`,
  drop("outbox", "id", "outbox o WHERE coalesce(o.state, '') = 'settled' AND o.id"),
  drop(
    "jobs",
    "id",
    "messages m CROSS JOIN jobs o WHERE o.id = m.job AND m.id",
    none("outbox b WHERE b.job = o.id"),
  ),
  drop(
    "messages",
    "id",
    "messages o WHERE o.id",
    `${none("recipients c WHERE c.request = o.id")} AND ${none("reservations v WHERE v.request = o.id")}`,
  ),
];

const OLD = "o.accepted_at < ?2";
/** An open request keeps its whole list, however old that is. */
const IS_DONE = `${none("outbox b WHERE b.job = o.job")} AND ${isNotAwaited("w.request = o.id")}`;

const MESSAGES: Walk = {
  find: FIND_MESSAGES,
  done: done("messages", `${OLD} AND ${IS_DONE}`),
  dropParts: DROP_PARTS,
  drop: DROP_MESSAGES,
};

/** No node is left that could emit a result. Requests that were not sent stay until a user cancels them. */
const REMOVED_MESSAGES: Walk = {
  find: FIND_MESSAGES,
  done: done(
    "messages",
    `${OLD} AND ${none(`outbox b WHERE b.job = o.job
        AND (b.state <> 'settled' OR (SELECT s.settled_at FROM messages s WHERE s.id = b.id) >= ?2)`)}`,
    "removed_messages",
  ),
  dropParts: DROP_PARTS,
  drop: DROP_MESSAGES,
};

const EVENTS: Walk = {
  find: find("events", "received_at"),
  done: done("events", "o.received_at < ?2 AND (SELECT m.id FROM messages m WHERE m.id = o.request) IS NULL"),
  dropParts: [],
  drop: [drop("events", "id", "events o WHERE o.id")],
};

const REPLIES: Walk = {
  find: find("replies", "received_at"),
  done: done("replies", "o.received_at < ?2"),
  dropParts: [],
  drop: [drop("replies", "id", "replies o WHERE o.id")],
};

/** Add what waits, so a full store refuses them first. */
export const acceptingStatements = (): ReadonlySet<Statement> =>
  new Set([
    ADD_MESSAGES,
    ADD_OUTBOX,
    ADD_OUTBOX_AGAIN,
    ADD_WAITS,
    ...storeFeatures().flatMap(({ accepting = [] }) => accepting),
  ]);

/** Make room in a store that is full: finished messages go first. */
export const EVICTIONS = [
  {
    find: statement("retention_evict_messages")`
      SELECT o.id FROM messages o WHERE ${IS_DONE} ORDER BY o.id LIMIT ${EVICTED}`,
    drop: [...DROP_PARTS, ...DROP_MESSAGES],
  },
  {
    find: statement(
      "retention_evict_events",
    )`SELECT o.id FROM events o ORDER BY o.received_at, o.id LIMIT ${EVICTED}`,
    drop: EVENTS.drop,
  },
];

/** Of nodes that are gone: they end nowhere. */
const WAITS: Walk = {
  find: find("waits", "started_at"),
  done: done("waits", "o.until < ?2"),
  dropParts: [drop("wait_recipients", "wait, idx", "wait_recipients o WHERE o.wait")],
  drop: [drop("waits", "id", "waits o WHERE o.id", none("wait_recipients w WHERE w.wait = o.id"))],
};

/** Every account, found by a look at the index for each of them, not for each row. */
const ACCOUNTS = statement("retention_accounts")`
    WITH RECURSIVE message_accounts (account) AS (
      SELECT min(account) FROM messages
      UNION ALL SELECT (SELECT min(m.account) FROM messages m WHERE m.account > a.account) FROM message_accounts a
        WHERE a.account IS NOT NULL),
    event_accounts (account) AS (
      SELECT min(account) FROM events
      UNION ALL SELECT (SELECT min(v.account) FROM events v WHERE v.account > a.account) FROM event_accounts a
        WHERE a.account IS NOT NULL)
    SELECT account FROM message_accounts WHERE account IS NOT NULL
    UNION SELECT account FROM event_accounts WHERE account IS NOT NULL`;

/** The whole message of `m` is done, so no division gives its part number again, and no wait needs its recipient ?1. */
const IS_DONE_WITH_NUMBER = `${none("outbox b WHERE b.job = m.job")} AND ${isNotAwaited(`w.request = m.id AND ${isPerson("w.number", "?1")}`)}`;

const NUMBER_SNAPSHOTS = statement("retention_number_snapshots")`
    UPDATE texts SET snapshot = NULL WHERE id ${among(`
      SELECT m.job FROM messages m WHERE ${isPerson("m.recipient", "?1")}
      UNION ALL
      SELECT m.job FROM recipients c CROSS JOIN messages m WHERE ${isPerson("c.recipient", "?1")} AND m.id = c.request`)}`;

const NUMBER_RESERVATIONS = statement("retention_number_reservations")`
    DELETE FROM reservations WHERE ${isPerson("recipient", "?1")} AND request ${among(`
      SELECT m.id FROM recipients c CROSS JOIN messages m
      WHERE ${isPerson("c.recipient", "?1")} AND m.id = c.request AND ${IS_DONE_WITH_NUMBER}`)}`;

/** Messages that have no other recipient. */
const NUMBER_MESSAGES = statement("retention_number_messages")`
    SELECT m.id FROM messages m WHERE ${isPerson("m.recipient", "?1")} AND ${IS_DONE_WITH_NUMBER}
    UNION ALL
    SELECT m.id FROM recipients c CROSS JOIN messages m WHERE ${isPerson("c.recipient", "?1")} AND m.id = c.request AND ${IS_DONE_WITH_NUMBER}
      AND ${none("recipients o WHERE o.request = c.request AND o.idx <> c.idx")}
    LIMIT ?2`;

const NUMBER_RECIPIENTS = deleteSlice(
  "retention_number_recipients",
  "recipients",
  "request, idx",
  `${isPerson("o.recipient", "?1")} AND EXISTS (SELECT 1 FROM messages m WHERE m.id = o.request AND ${IS_DONE_WITH_NUMBER})`,
);

const NUMBER_EVENTS = deleteSlice(
  "retention_number_events",
  "events",
  "id",
  `${isPerson("o.number", "?1")} AND (SELECT m.id FROM messages m WHERE m.id = o.request AND NOT (${IS_DONE_WITH_NUMBER})) IS NULL`,
);

const NUMBER_OPEN = statement("retention_number_open")`
    SELECT (SELECT count(*) FROM messages m WHERE ${isPerson("m.recipient", "?1")})
      + (SELECT count(*) FROM recipients c WHERE ${isPerson("c.recipient", "?1")}) AS open`;

/** ms for which counters of limits stay: longer than a day of any time zone. */
const COUNTERS = 3 * 86_400_000;

/** Rows of one deletion: with all that belongs to them, and their entries in indexes, others wait for it some ms. */
const DELETED = 100;
/** Rows that are read for one that may be deleted: reading takes less. */
const READ = 5;

/** How far a walk has come. */
interface Progress {
  /** Epoch ms and id of the last row. */
  at: number;
  id: number;
  /** Ids of rows that are no longer needed and not deleted yet. */
  done: readonly number[];
  /** Whether there are no further old ones. */
  isLast: boolean;
}

/**
 * Deletes what nobody needs any more, in slices between which everything else goes on. Each slice reads no more rows than it may delete,
 * and goes on where the one before has ended. Every call may throw StoreError.
 */
export class Retention extends Repository {
  /** ms of the clock that runs. */
  readonly #openedAt = this.clock.elapsed();
  /** By account and walk, until the cleaning of the account has come to its end. */
  readonly #progress = new Map<string, ReadonlyMap<Walk, Progress>>();

  /**
   * Deletes one slice of what an account took longer ago than `age` ms and is done. What is still on its way stays.
   * @returns whether there may be more: call again, after a pause
   */
  deleteOld(account: string, age: number, most = DELETED): Promise<boolean> {
    return this.#deleteSlice(MESSAGES, account, age, most);
  }

  /**
   * The same for an account that the flows no longer have. Results that nobody has seen are deleted too, `age` ms after they
   * came; what has not left stays until somebody cancels it.
   * @returns whether there may be more: call again, after a pause
   */
  deleteRemoved(account: string, age: number, most = DELETED): Promise<boolean> {
    return this.#deleteSlice(REMOVED_MESSAGES, account, age, most);
  }

  /** Every account that has messages or events in the store, in the flows or not. */
  async accounts(): Promise<readonly string[]> {
    const rows = await rowsOf(this.engine, ACCOUNTS);
    return [...new Set(rows.map(({ account }) => getAccount(String(account))))];
  }

  async #deleteSlice(messages: Walk, account: string, age: number, most: number): Promise<boolean> {
    const now = this.clock.now();
    const before = now - age;
    const progress =
      this.#progress.get(account) ??
      new Map(
        [messages, EVENTS, WAITS, REPLIES].map((walk) => [walk, { at: 0, id: 0, done: [], isLast: false }]),
      );
    this.#progress.set(account, progress);
    const more = await this.#deleteOthers(now, most);
    // One after the other: events stay as long as their requests.
    for (const [walk, place] of progress) {
      if (await this.#walk(walk, place, account, before, most)) {
        return true;
      }
    }
    // The next cleaning finds what is done by then.
    this.#progress.delete(account);
    return more;
  }

  /** @returns whether there may be more */
  async #walk(walk: Walk, place: Progress, account: string, before: number, most: number): Promise<boolean> {
    if (place.done.length === 0 && !place.isLast) {
      const found = await rowsOf(this.engine, walk.find, before, place.at, place.id, most * READ, account);
      place.isLast = found.length < most * READ;
      const mine = found.filter((row) => Number(row.mine) === 1).map((row) => Number(row.id));
      const rows =
        mine.length === 0 ? [] : await rowsOf(this.engine, walk.done, JSON.stringify(mine), before);
      place.done = rows.map((row) => Number(row.id));
      place.at = Number(found.at(-1)?.at ?? place.at);
      place.id = Number(found.at(-1)?.id ?? place.id);
    }
    if (place.done.length > 0) {
      const ids = JSON.stringify(place.done.slice(0, most));
      for (const each of walk.dropParts) {
        const [deleted] = await this.#delete([call(each, ids, most)]);
        if (deleted === most) {
          return true;
        }
      }
      await this.#delete(walk.drop.map((each) => call(each, ids, most)));
      place.done = place.done.slice(most);
    }
    return place.done.length > 0 || !place.isLast;
  }

  /** What is deleted at an age of its own. @returns whether there may be more */
  async #deleteOthers(now: number, most: number): Promise<boolean> {
    const openFor = this.clock.elapsed() - this.#openedAt;
    const deleted = await this.#delete([
      call(DELETE_KEYS, now, most),
      call(DELETE_QUOTA_USAGE, now - COUNTERS, most),
      ...deleteWaits(now, most),
      ...storeFeatures().flatMap(({ deleteOld }) => deleteOld?.({ now, openFor, max: most }) ?? []),
    ]);
    return deleted.includes(most);
  }

  /** @returns how many rows each of the calls has deleted */
  async #delete(calls: readonly Call[]): Promise<readonly number[]> {
    const deleted = (await this.engine.run(calls)).map((rows) => rows.length);
    if (deleted.some((count) => count > 0)) {
      await this.engine.tidy();
    }
    return deleted;
  }

  /** Deletes everything about a number but what is on its way. @param number digits */
  async deleteNumber(number: string): Promise<Deleted> {
    await this.engine.run([call(NUMBER_SNAPSHOTS, number), call(NUMBER_RESERVATIONS, number)]);
    const events = await changeInSlices(this.engine, NUMBER_EVENTS, [number]);
    const messages = await sliced((most) => this.#deleteMessages(number, most));
    const recipients = await changeInSlices(this.engine, NUMBER_RECIPIENTS, [number]);
    for (const each of [KEYS_OF_NUMBER, REPLIES_OF_NUMBER]) {
      await changeInSlices(this.engine, each, [number]);
    }
    let gathered = 0;
    for (const { deleteNumber } of storeFeatures()) {
      gathered += (await deleteNumber?.(this.engine, number)) ?? 0;
    }
    const row = await rowOf(this.engine, NUMBER_OPEN, number);
    await this.engine.tidy();
    return { recipients: messages + recipients, events, open: Number(row?.open ?? 0), gathered };
  }

  /** Deletes one slice of the messages that went to this number alone. */
  async #deleteMessages(number: string, most: number): Promise<number> {
    const rows = await rowsOf(this.engine, NUMBER_MESSAGES, number, most);
    const ids = JSON.stringify(rows.map(({ id }) => Number(id)));
    await this.engine.run([...DROP_PARTS, ...DROP_MESSAGES].map((each) => call(each, ids, most)));
    return rows.length;
  }
}
