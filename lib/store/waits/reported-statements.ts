import { INDEX_OF_EVENT, sentAt } from "../schema/expressions";
import { isPerson } from "../schema/person";
import { isRow, lookUp, lookUpIfAny, type Sql, sql, type SqlPart } from "../schema/sql";
import { type Statement, statement } from "../schema/statement";
import { isStarted } from "./start-statements";

/** Rank of a delivery that will never come to more (`deliveryRank`). */
const FAILED = 4;

/** Joins the recipient of a row `w` of `wait_recipients`: a message `m`, or a recipient `c` of a list. */
const RECIPIENT = sql`${lookUp("messages", "m", "m.id = w.request")}
      ${lookUpIfAny("recipients", "c", "m.recipient IS NULL AND c.request = w.request AND c.idx = w.idx")}`;

/** What its delivery means for that row. */
const RANK = "coalesce(c.delivery_rank, m.delivery_rank)";
const outcome = `CASE WHEN ${RANK} >= w.min_rank THEN 'matched' ELSE 'failed' END`;
const isReported = `(${RANK} >= w.min_rank OR ${RANK} = ${FAILED})`;

// Not `outcome IS NULL`: SQLite would go through all open rows by the index of that.
// An earlier reply is read first.
const reportedFrom = (rows: SqlPart): Sql => sql`
    WITH b AS MATERIALIZED (
      SELECT w.wait, w.idx, ${outcome} AS outcome, coalesce(c.delivery, m.delivery) AS delivery,
        coalesce(c.delivery_at, m.delivery_at) AS delivery_at FROM ${rows} AND ${isReported}
        AND NOT EXISTS (SELECT 1 FROM replies p WHERE p.wait = w.wait AND p.idx = w.idx))
    UPDATE wait_recipients SET outcome = b.outcome, status = b.delivery, at = b.delivery_at, expects_reply = 0
    FROM b WHERE ${isRow(["wait_recipients.wait", "wait_recipients.idx"], ["b.wait", "b.idx"])} AND (wait_recipients.outcome || '') IS NULL
    RETURNING (SELECT a.result_owner FROM waits a WHERE a.id = wait_recipients.wait) AS "resultOwner"`;

// CROSS JOIN: SQLite goes through tables in this order, from the few new rows to the many.

/** Ends waits by the deliveries of new events: runs after these in the same operation. */
export const REPORTED_OF_EVENTS = statement(
  "waits_reported_of_events",
  reportedFrom(sql`events v
      ${lookUp("wait_recipients", "w", `w.outcome IS NULL AND w.request = v.request AND w.idx = ${INDEX_OF_EVENT}`)} ${RECIPIENT}
      WHERE v.applied = 0 AND v.request IS NOT NULL AND v.status IS NOT NULL`),
);

const IS_STARTED = isStarted();
const IS_RECENT = "a.started_at >= ?1 AND a.phase = 'open'";

const reportedBefore = (name: string, which: SqlPart): Statement =>
  statement(
    name,
    reportedFrom(sql`waits a ${lookUp("wait_recipients", "w", "w.wait = a.id")} ${RECIPIENT}
      WHERE ${which} AND w.outcome IS NULL`),
  );

/** Ends waits by what was reported before they started. ?1 keys of the waits. */
export const REPORTED_BEFORE = reportedBefore("waits_reported_before", IS_STARTED);
/** The same for the wait ?1, whose reply was unmatched. */
export const REPORTED_MEANWHILE = reportedBefore("waits_reported_meanwhile", "a.id = ?1");
/** The same for waits that started at ?1 or later. */
export const REPORTED_RECENTLY = reportedBefore("waits_reported_recently", IS_RECENT);

/** Whether a reply `p` may come from the recipient of a row `w`: by its channel, and after its request was sent. */
const isReplyTo = `p.account = w.account AND ${isPerson("p.number", "w.number")} AND (w.channel = 'any' OR w.channel = p.channel)
      AND p.received_at >= coalesce((SELECT ${sentAt()} FROM messages m WHERE m.id = w.request), 0)`;

const assigned = (name: string, which: SqlPart, states: string): Statement =>
  statement(name)`
    UPDATE replies SET wait = b.wait, idx = (SELECT max(x.idx) FROM wait_recipients x
        WHERE x.account = replies.account AND ${isPerson("x.number", "replies.number")} AND x.expects_reply = 1 AND x.wait = b.wait)
    FROM (SELECT p.id, max(w.wait) AS wait
      FROM waits a CROSS JOIN wait_recipients w CROSS JOIN replies p
      WHERE ${which} AND w.wait = a.id AND w.expects_reply = 1 AND w.outcome IS NULL
        AND ${isReplyTo} AND p.wait IS NULL AND p.state IN (${states}) GROUP BY p.id) b
    WHERE replies.id = b.id AND replies.wait IS NULL
    RETURNING (SELECT a.result_owner FROM waits a WHERE a.id = replies.wait) AS "resultOwner"`;

/** Assigns unused replies to waits that start. ?1 keys of the waits. */
export const ASSIGN_EARLIER = assigned("waits_assign_earlier", IS_STARTED, "'new', 'deferred'");
/** The same for waits that started at ?1 or later, which have deferred other replies. */
export const ASSIGN_RECENTLY = assigned("waits_assign_recently", IS_RECENT, "'new'");
