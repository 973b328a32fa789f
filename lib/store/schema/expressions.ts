import { collect, type Sql, sql } from "./sql";
import { scopeOfRequest } from "./scope";

/**
 * Place of the recipient that an event `v` with a request is about: the one of its number; the only recipient of a request gets events
 * of any number, or without one. Null for other numbers.
 */
export const PLACE_OF_EVENT = `coalesce(
        (SELECT x.place FROM recipients x WHERE x.number = v.number AND x.request = v.request LIMIT 1),
        (SELECT x.place FROM recipients x WHERE x.request = v.request AND NOT EXISTS (
          SELECT 1 FROM recipients o WHERE o.request = v.request AND o.place <> x.place) LIMIT 1))`;

type State = "filling" | "queued" | "held" | "parked" | "leaving" | "settled";

/**
 * Follows the choice of rows of `requests` whose state is changed: each is still in one of these states when its turn comes. Two that
 * overlap choose the same rows, and PostgreSQL looks again only at the conditions on the row itself. No index is chosen by it.
 */
export const isStill = (...states: readonly State[]): string =>
  `coalesce(requests.state, '') IN (${states.map((state) => `'${state}'`).join(", ")})`;

/** A column that rows are not found by, also where its table was empty when PostgreSQL made the plan: not all rows of it are read. */
export const checked = (column: string): string => `(${column} || '')`;

/** Of a request that is queued again: it stays with the process that has its text. */
export const KEEP_TEXT_OWNER = "owner = CASE WHEN requests.content IS NULL THEN requests.owner END";

/** What stays of a text when its message is done. @param keep 1 where texts are kept */
export const keptSql = (keep: string, column: string): string => `CASE WHEN ${keep} = 1 THEN ${column} END`;

/** The message of a job `j` as a column; null where it was not kept, or is not needed any more. */
export const SNAPSHOT = "(SELECT s.snapshot FROM snapshots s WHERE s.job = j.id) AS snapshot";

/**
 * The request of a scope that an event is about. A client message id is the flow's own and may have been used before, so it counts less
 * than a transfer id, and only for what has left.
 */
export const requestOfEvent = (scope: string, transferId: string, clientId: string, number: string): string =>
  `coalesce(
        (SELECT r.id FROM requests r WHERE r.transfer_id = ${transferId} AND ${scopeOfRequest("r")} = ${scope}
          ORDER BY r.id DESC LIMIT 1),
        (SELECT r.id FROM requests r WHERE r.client_message_id = ${clientId} AND ${scopeOfRequest("r")} = ${scope}
          AND r.state IN ('leaving', 'settled', 'emitted') AND (r.transfer_id IS NULL OR ${transferId} IS NULL)
          ORDER BY CASE WHEN EXISTS (
            SELECT 1 FROM recipients c WHERE c.request = r.id AND c.number = ${number}) THEN 0 ELSE 1 END,
          r.id DESC LIMIT 1))`;

/** The recipients of a request as a JSON array of texts. @param request its id @param column of a recipient `c` */
export const numbersOf = (request: string, column = "c.number"): Sql =>
  sql`(SELECT ${collect(column, "c.place")} FROM recipients c WHERE c.request = ${request})`;
