import { chosen, each, idsOf, type Sql, sql, textOf } from "../schema/sql";
import { statement } from "../schema/statement";

export const COLUMNS = `a.id, a.wait_key AS key, a.node, a.kind, a.started_at AS "startedAt", a.until, a.group_key AS "group",
    a.emitted, a.recipients, a.open, a.snapshot`;

/** ?1 ids as a JSON array. */
export const SOME = statement("waits_some")`
    SELECT ${COLUMNS} FROM waits a WHERE a.id IN (${idsOf("?1")}) ORDER BY a.id`;

/** Only waits of the nodes of a JSON array. */
export const isOf = (column: string, nodes: string): Sql =>
  sql`${column} IN (SELECT ${textOf()} FROM ${each(nodes)})`;

/** ?1 result owner, ?2 most, ?3 nodes. */
const REPORTED = sql`SELECT w.* FROM wait_recipients w JOIN waits a ON a.id = w.wait
    WHERE w.outcome IN ('matched', 'failed', 'unmatched') AND a.result_owner = ?1 AND ${isOf("a.node", "?3")} ORDER BY w.wait, w.idx LIMIT ?2`;
export const REPORTED_RECIPIENTS = statement("waits_reported")`
    SELECT h.wait, h.idx AS "index", h.number, h.outcome, h.status, h.at, p.body AS reply FROM (${REPORTED}) h
    LEFT JOIN replies p ON p.id = h.reply ORDER BY h.wait, h.idx`;
export const REPORTED_WAITS = statement("waits_reported_waits")`
    SELECT ${COLUMNS} FROM waits a WHERE a.id IN (SELECT DISTINCT h.wait FROM (${REPORTED}) h) ORDER BY a.id`;

/** Timed out waits, whole groups, oldest first. ?1 result owner, ?2 most, ?3 nodes. */
const TIMED_OUT = sql`SELECT a.* FROM waits a
    WHERE a.phase = 'ended' AND a.open > 0 AND a.result_owner = ?1
      AND coalesce(a.group_key, a.wait_key) IN (
        SELECT coalesce(f.group_key, f.wait_key) FROM (
          SELECT o.id, o.group_key, o.wait_key FROM waits o
          WHERE o.phase = 'ended' AND o.open > 0 AND o.result_owner = ?1 AND ${isOf("o.node", "?3")}
            AND EXISTS (SELECT 1 FROM wait_recipients w WHERE w.wait = o.id AND w.outcome = 'timed_out')
          ORDER BY o.id LIMIT ?2) f)`;
// The message of a group is made from its first one.
export const TIMED_OUT_WAITS = statement("waits_timed_out")`
    SELECT ${COLUMNS.replace("a.snapshot", "CASE WHEN a.number = 1 THEN a.snapshot END AS snapshot")}
    FROM (SELECT x.*, row_number() OVER (PARTITION BY coalesce(x.group_key, x.wait_key) ORDER BY x.id) AS number FROM (${TIMED_OUT}) x
      WHERE EXISTS (SELECT 1 FROM wait_recipients w WHERE w.wait = x.id AND w.outcome = 'timed_out')) a
    ORDER BY a.id`;
export const TIMED_OUT_RECIPIENTS = statement("waits_timed_out_recipients")`
    SELECT w.wait, w.idx AS "index", w.number, w.replaced, w.replied FROM wait_recipients w
    WHERE w.outcome = 'timed_out' AND w.wait IN (SELECT x.id FROM (${TIMED_OUT}) x) ORDER BY w.wait, w.idx`;

export const REPLIES = statement("waits_replies")`
    SELECT p.id, p.wait, p.idx AS "index", p.number, p.channel, p.body, p.at, p.received_at AS "receivedAt", a.node,
      (SELECT count(*) FROM wait_recipients w WHERE w.wait = p.wait AND w.idx = p.idx AND w.outcome IS NULL) AS open
    FROM replies p JOIN waits a ON a.id = p.wait WHERE p.wait IS NOT NULL AND a.result_owner = ?1 AND ${isOf("a.node", "?3")} ORDER BY p.wait, p.id LIMIT ?2`;

/** ?5 is `matched` or `unmatched`. */
export const END_BY_REPLY = statement("waits_end_by_reply")`
    UPDATE wait_recipients SET outcome = ?5, at = ?4, reply = ?1, expects_reply = 0
    WHERE wait = ?2 AND idx = ?3 AND outcome IS NULL`;
export const USE_REPLY = statement("waits_use_reply")`
    UPDATE replies SET wait = NULL, state = CASE WHEN EXISTS (
      SELECT 1 FROM wait_recipients w WHERE w.wait = ?2 AND w.idx = ?3 AND w.reply = ?1) THEN 'used' ELSE state END
    WHERE id = ?1 AND state IN ('new', 'deferred')`;
export const RECORD_REPLY = statement("waits_record_reply")`
    UPDATE wait_recipients SET replied = 1 WHERE wait = ?1 AND idx = ?2`;
export const DEFER_REPLY = statement("waits_defer_reply")`
    UPDATE replies SET wait = NULL, state = 'deferred' WHERE id = ?1 AND state IN ('new', 'deferred')`;
export const DELETE_REPLY = statement("waits_delete_reply")`DELETE FROM replies WHERE id = ?1`;

/** For a wait that another process has just adopted, PostgreSQL repeats a count, but not NOT EXISTS. */
export const ADOPT = statement("waits_adopt")`
    UPDATE waits SET result_owner = ?1
    WHERE id ${chosen(sql`SELECT a.id FROM waits a
      WHERE a.id > ?5 AND a.account = ?2 AND a.open > 0 AND ${isOf("a.node", "?3")}
        AND (SELECT count(*) FROM instances i WHERE i.id = a.result_owner AND i.expired_at IS NULL) = 0
      ORDER BY a.id LIMIT ?4`)}
    RETURNING id`;

export const OPEN = statement("waits_open")`
    SELECT a.node, sum(a.open) AS open FROM waits a
    WHERE a.account = ?2 AND a.open > 0 AND a.result_owner = ?1 GROUP BY a.node`;
