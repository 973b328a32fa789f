import type { Call } from "../engine/engine";
import { call } from "../engine/query";
import { PLACE_OF_EVENT } from "../schema/expressions";
import { among, isRow, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { REPORTED_OF_EVENTS } from "../waits/reported-statements";

/** Events that belong to a request and have not moved anything yet. Nearly always there are none. */
const NEW = "applied = 0 AND request IS NOT NULL";

const DELIVER = statement("events_deliver")`
    WITH b AS MATERIALIZED (
      SELECT p.*, row_number() OVER (PARTITION BY p.request, p.place ORDER BY p.rank DESC, p.at DESC, p.id DESC) AS n
      FROM (SELECT v.request, v.status, v.rank, v.at, v.id, ${PLACE_OF_EVENT} AS place FROM events v
        WHERE v.applied = 0 AND v.request IS NOT NULL AND v.status IS NOT NULL) p)
    UPDATE recipients SET delivery = b.status, delivery_rank = b.rank, delivery_at = b.at
    FROM b WHERE b.n = 1 AND ${isRow(["recipients.request", "recipients.place"], ["b.request", "b.place"])}
      AND (b.rank > recipients.delivery_rank
        OR (b.rank = recipients.delivery_rank AND b.at > recipients.delivery_at))`;

const SETTLE_UNKNOWN = statement("events_settle_unknown")`
    UPDATE requests SET outcome = 'sent', settled_by = 'event'
    WHERE outcome = 'unknown' AND id ${among(sql`SELECT request FROM events WHERE ${NEW}`)}
    RETURNING id, job, part`;

const PROVE = statement("events_prove")`
    UPDATE requests SET proof_at = ?1
    WHERE proof_at IS NULL AND id ${among(sql`SELECT request FROM events WHERE ${NEW}`)}`;

const FINISH = statement("events_finish")`UPDATE events SET applied = 1 WHERE ${NEW}`;

/** Position of the rows of requests that were `unknown` and are `sent` now, among those of `applyEvents`. */
export const SETTLED_ROWS = 2;

/** Position of the rows that name the result owners of waits of which something was reported. */
export const REPORTED_ROWS = 3;

/** Ends an operation that added events or gave some of them their request. */
export const applyEvents = (now: number): readonly Call[] => [
  call(DELIVER),
  // Waits for whoever settles the request at this moment, so that the next statement sees what came of it.
  call(PROVE, now),
  call(SETTLE_UNKNOWN),
  call(REPORTED_OF_EVENTS),
  call(FINISH),
];
