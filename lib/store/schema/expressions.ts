import { isPerson } from "./person";
import { collect, type Sql, sql } from "./sql";
import { scopeOfMessage } from "./scope";

/** A column that rows are not found by, also where its table was empty when PostgreSQL made the plan: not all rows of it are read. */
export const checked = (column: string): string => `(${column} || '')`;

/**
 * Index of the recipient that an event `v` with a request is about. The only recipient of a request gets events of any number, or
 * without one. Null for other numbers.
 */
export const INDEX_OF_EVENT = `coalesce(
        (SELECT 0 FROM messages x WHERE x.id = v.request AND ${checked("x.recipient")} IS NOT NULL),
        (SELECT x.idx FROM recipients x WHERE ${isPerson("x.recipient", "v.number")} AND x.request = v.request LIMIT 1),
        (SELECT x.idx FROM recipients x WHERE x.request = v.request AND NOT EXISTS (
          SELECT 1 FROM recipients o WHERE o.request = v.request AND o.idx <> x.idx) LIMIT 1))`;

/** Of a row of `outbox`. */
export type State = "staging" | "queued" | "paused" | "orphaned" | "sending" | "settled";

/**
 * Follows the choice of rows of `outbox` whose state is changed, and checks that each is still in one of these states. Two operations that
 * overlap choose the same rows, and PostgreSQL checks only the conditions on the row itself again. No index is chosen by it.
 */
export const isStill = (...states: readonly State[]): string =>
  `coalesce(outbox.state, '') IN (${states.map((state) => `'${state}'`).join(", ")})`;

/** Of a request that is queued again: it stays with the process that has its text. */
export const KEEP_TEXT_OWNER = "owner = CASE WHEN outbox.content IS NULL THEN outbox.owner END";

/** Epoch ms of the last attempt of a message `m` that may have reached the service; null before it. */
export const sentAt = (message = "m"): string =>
  `coalesce((SELECT ob.sent_at FROM outbox ob WHERE ob.id = ${message}.id), ${message}.sent_at)`;

/** Whether a message `m` has not been sent. */
const IS_UNSENT =
  "coalesce((SELECT ob.state FROM outbox ob WHERE ob.id = m.id), '') IN ('staging', 'queued', 'paused', 'orphaned')";

/**
 * The request of a scope that an event is about. A client id is the flow's own and may have been used before, so it counts less
 * than a transfer id, and only for sent requests.
 */
export const requestOfEvent = (scope: string, transferId: string, clientId: string, number: string): string =>
  `coalesce(
        (SELECT m.id FROM messages m WHERE m.transfer_id = ${transferId} AND ${scopeOfMessage("m")} = ${scope}
          ORDER BY m.id DESC LIMIT 1),
        (SELECT m.id FROM messages m WHERE m.client_id = ${clientId} AND ${scopeOfMessage("m")} = ${scope}
          AND NOT ${IS_UNSENT} AND (m.transfer_id IS NULL OR ${transferId} IS NULL)
          ORDER BY CASE WHEN ${isPerson(checked("m.recipient"), number)} OR EXISTS (
            SELECT 1 FROM recipients c WHERE c.request = m.id AND ${isPerson("c.recipient", number)}) THEN 0 ELSE 1 END,
          m.id DESC LIMIT 1))`;

/** The recipients of a list as a JSON array of texts. @param request its id @param column of a recipient `c` */
export const numbersOf = (request: string, column = "c.recipient"): Sql =>
  sql`(SELECT ${collect(column, "c.idx")} FROM recipients c WHERE c.request = ${request})`;
