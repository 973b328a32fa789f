import { PLACE_OF_EVENT, sentAt } from "../schema/expressions";
import { isRow, lookUp, lookUpIfAny, type Sql, sql, type SqlPart } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";
import { isBegun } from "./begin-statements";

/** Rank of a delivery that will never come to more (`deliveryRank`). */
const FAILED = 4;

/** Joins the recipient of a row `w` of `wait_recipients`: a message `m`, or a recipient `c` of a list. */
const RECIPIENT = sql`${lookUp("messages", "m", "m.id = w.request")}
      ${lookUpIfAny("recipients", "c", "m.recipient IS NULL AND c.request = w.request AND c.idx = w.place")}`;

/** What its delivery means for that row. */
const RANK = "coalesce(c.delivery_rank, m.delivery_rank)";
const what = `CASE WHEN ${RANK} >= w.needs THEN 'happened' ELSE 'failed' END`;
const isReported = `(${RANK} >= w.needs OR ${RANK} = ${FAILED})`;

// Not `what IS NULL`: SQLite would go through all open rows by the index of that.
// A reply that came before is looked at first.
const reportedFrom = (rows: SqlPart): Sql => sql`
    WITH b AS MATERIALIZED (
      SELECT w.wait, w.place, ${what} AS what, coalesce(c.delivery, m.delivery) AS delivery,
        coalesce(c.delivery_at, m.delivery_at) AS delivery_at FROM ${rows} AND ${isReported}
        AND NOT EXISTS (SELECT 1 FROM replies p WHERE p.wait = w.wait AND p.place = w.place))
    UPDATE wait_recipients SET what = b.what, status = b.delivery, at = b.delivery_at, asks = 0
    FROM b WHERE ${isRow(["wait_recipients.wait", "wait_recipients.place"], ["b.wait", "b.place"])} AND (wait_recipients.what || '') IS NULL
    RETURNING (SELECT a.result_owner FROM waits a WHERE a.id = wait_recipients.wait) AS "resultOwner"`;

// CROSS JOIN: SQLite goes through tables in this order, from the few new rows to the many.

/** Ends waits for recipients that new events have moved: to be run after them, in the same operation. */
export const REPORTED_OF_EVENTS = statement(
  "waits_reported_of_events",
  reportedFrom(sql`events v
      ${lookUp("wait_recipients", "w", `w.what IS NULL AND w.request = v.request AND w.place = ${PLACE_OF_EVENT}`)} ${RECIPIENT}
      WHERE v.applied = 0 AND v.request IS NOT NULL AND v.status IS NOT NULL`),
);

const IS_BEGUN = isBegun();
const IS_RECENT = "a.begun_at >= ?1 AND a.phase = 'open'";

const reportedBefore = (name: string, which: SqlPart): Statement =>
  statement(
    name,
    reportedFrom(sql`waits a ${lookUp("wait_recipients", "w", "w.wait = a.id")} ${RECIPIENT}
      WHERE ${which} AND w.what IS NULL`),
  );

/** Ends waits for recipients of whom all was reported before. ?1 keys of the waits. */
export const REPORTED_BEFORE = reportedBefore("waits_reported_before", IS_BEGUN);
/** The same for the wait ?1, where a reply was not the one that it waits for. */
export const REPORTED_MEANWHILE = reportedBefore("waits_reported_meanwhile", "a.id = ?1");
/** The same for waits that began at ?1 or later. */
export const REPORTED_RECENTLY = reportedBefore("waits_reported_recently", IS_RECENT);

/** Whether a reply `p` may come from the recipient of a row `w` that asks: by its channel, and after its request was sent. */
const isReplyTo = `p.account = w.account AND p.number = w.number AND (w.channel = 'any' OR w.channel = p.channel)
      AND p.received_at >= coalesce((SELECT ${sentAt()} FROM messages m WHERE m.id = w.request), 0)`;

const assigned = (name: string, which: SqlPart, states: string): Statement =>
  statement(name)`
    UPDATE replies SET wait = b.wait, place = (SELECT max(x.place) FROM wait_recipients x
        WHERE x.account = replies.account AND x.number = replies.number AND x.asks = 1 AND x.wait = b.wait)
    FROM (SELECT p.id, max(w.wait) AS wait
      FROM waits a CROSS JOIN wait_recipients w CROSS JOIN replies p
      WHERE ${which} AND w.wait = a.id AND w.asks = 1 AND w.what IS NULL
        AND ${isReplyTo} AND p.wait IS NULL AND p.state IN (${states}) GROUP BY p.id) b
    WHERE replies.id = b.id AND replies.wait IS NULL
    RETURNING (SELECT a.result_owner FROM waits a WHERE a.id = replies.wait) AS "resultOwner"`;

/** Gives waits that begin the replies that nobody has taken. ?1 keys of the waits. */
export const ASSIGN_EARLIER = assigned("waits_assign_earlier", IS_BEGUN, "'new', 'later'");
/** The same for waits that began at ?1 or later, which have looked at what was left for later. */
export const ASSIGN_RECENTLY = assigned("waits_assign_recently", IS_RECENT, "'new'");
