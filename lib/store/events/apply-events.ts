import type { Call } from "../engine/engine";
import { call } from "../engine/query";
import { checked, INDEX_OF_EVENT } from "../schema/expressions";
import { among, isRow, type Sql, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { REPORTED_OF_EVENTS } from "../waits/reported-statements";

const NEW = "applied = 0 AND request IS NOT NULL";

/**
 * Updates the delivery of each recipient by the event of the highest rank, if that is higher than before.
 * @param key columns of the recipient in its table @param values the same of a new event `v`
 */
const deliver = (table: string, key: readonly string[], values: readonly string[], further = "true"): Sql => {
  const names = values.map((_, at) => `key${at}`);
  return sql`
    WITH b AS MATERIALIZED (
      SELECT p.*, row_number() OVER (PARTITION BY ${names.join(", ")} ORDER BY p.rank DESC, p.at DESC, p.id DESC) AS n
      FROM (SELECT ${values.map((value, at) => `${value} AS key${at}`).join(", ")}, v.status, v.rank, v.at, v.id FROM events v
        WHERE v.applied = 0 AND v.request IS NOT NULL AND v.status IS NOT NULL) p)
    UPDATE ${table} SET delivery = b.status, delivery_rank = b.rank, delivery_at = b.at
    FROM b WHERE b.n = 1 AND ${isRow(
      key.map((column) => `${table}.${column}`),
      names.map((name) => `b.${name}`),
    )} AND ${further}
      AND (b.rank > ${table}.delivery_rank OR (b.rank = ${table}.delivery_rank AND b.at > ${table}.delivery_at))`;
};

const DELIVER = statement(
  "events_deliver",
  deliver("messages", ["id"], ["v.request"], `${checked("messages.recipient")} IS NOT NULL`),
);

const DELIVER_LISTS = statement(
  "events_deliver_lists",
  deliver("recipients", ["request", "idx"], ["v.request", INDEX_OF_EVENT]),
);

const SETTLE_UNKNOWN = statement("events_settle_unknown")`
    UPDATE messages SET outcome = 'sent', settled_by = 'event'
    WHERE outcome = 'unknown' AND id ${among(sql`SELECT request FROM events WHERE ${NEW}`)}
    RETURNING id, job, part`;

const CONFIRM = statement("events_confirm")`
    UPDATE messages SET confirmed_at = ?1
    WHERE confirmed_at IS NULL AND id ${among(sql`SELECT request FROM events WHERE ${NEW}`)}`;

const FINISH = statement("events_finish")`UPDATE events SET applied = 1 WHERE ${NEW}`;

/** Index of the requests that events settled, among the results of `applyEvents`. */
export const SETTLED_ROWS = 3;

/** Index of the result owners of reported waits. */
export const REPORTED_ROWS = 4;

/** Applies new or newly linked events at the end of their operation. */
export const applyEvents = (now: number): readonly Call[] => [
  call(DELIVER),
  call(DELIVER_LISTS),
  // Waits for a concurrent settlement, so that the next statement reads its outcome.
  call(CONFIRM, now),
  call(SETTLE_UNKNOWN),
  call(REPORTED_OF_EVENTS),
  call(FINISH),
];
