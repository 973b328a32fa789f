import { chosen, each, idsOf, type Sql, sql, textOf } from "../schema/sql";
import { statement } from "../schema/statement";

/** What a wait `a` is made from. */
export const COLUMNS = `a.id, a.wait_key AS key, a.node, a.kind, a.begun_at AS "beganAt", a.until, a.group_key AS "group",
    a.left_count AS "left", a.recipients, a.open, a.snapshot`;

export const ONE = statement("waits_one")`SELECT ${COLUMNS} FROM waits a WHERE a.id = ?1`;

/** ?1 ids as a JSON array. */
export const SOME = statement("waits_some")`
    SELECT ${COLUMNS} FROM waits a WHERE a.id IN (${idsOf("?1")}) ORDER BY a.id`;

/** Only waits of the nodes of a JSON array. */
export const isOf = (column: string, nodes: string): Sql =>
  sql`${column} IN (SELECT ${textOf()} FROM ${each(nodes)})`;

/** ?1 result owner, ?2 most, ?3 nodes. */
const REPORTED = sql`SELECT w.* FROM wait_recipients w JOIN waits a ON a.id = w.wait
    WHERE w.what IN ('happened', 'failed', 'other') AND a.result_owner = ?1 AND ${isOf("a.node", "?3")} ORDER BY w.wait, w.place LIMIT ?2`;
export const REPORTED_ROWS = statement("waits_reported")`
    SELECT h.wait, h.place, h.number, h.what, h.status, h.at, p.body AS reply FROM (${REPORTED}) h
    LEFT JOIN replies p ON p.id = h.reply ORDER BY h.wait, h.place`;
export const REPORTED_WAITS = statement("waits_reported_waits")`
    SELECT ${COLUMNS} FROM waits a WHERE a.id IN (SELECT DISTINCT h.wait FROM (${REPORTED}) h) ORDER BY a.id`;

/** Waits that ended in silence, whole groups, the oldest first. ?1 result owner, ?2 most, ?3 nodes. */
const SILENT = sql`SELECT a.* FROM waits a
    WHERE a.phase = 'over' AND a.open > 0 AND a.result_owner = ?1
      AND coalesce(a.group_key, a.wait_key) IN (
        SELECT coalesce(f.group_key, f.wait_key) FROM (
          SELECT o.id, o.group_key, o.wait_key FROM waits o
          WHERE o.phase = 'over' AND o.open > 0 AND o.result_owner = ?1 AND ${isOf("o.node", "?3")}
            AND EXISTS (SELECT 1 FROM wait_recipients w WHERE w.wait = o.id AND w.what = 'silent')
          ORDER BY o.id LIMIT ?2) f)`;
// The message of a group is made from its first one.
export const SILENT_WAITS = statement("waits_silent")`
    SELECT ${COLUMNS.replace("a.snapshot", "CASE WHEN a.turn = 1 THEN a.snapshot END AS snapshot")}
    FROM (SELECT x.*, row_number() OVER (PARTITION BY coalesce(x.group_key, x.wait_key) ORDER BY x.id) AS turn FROM (${SILENT}) x
      WHERE EXISTS (SELECT 1 FROM wait_recipients w WHERE w.wait = x.id AND w.what = 'silent')) a
    ORDER BY a.id`;
export const SILENT_ROWS = statement("waits_silent_rows")`
    SELECT w.wait, w.place, w.number, w.replaced, w.wrote FROM wait_recipients w
    WHERE w.what = 'silent' AND w.wait IN (SELECT x.id FROM (${SILENT}) x) ORDER BY w.wait, w.place`;

export const REPLIES = statement("waits_replies")`
    SELECT p.id, p.wait, p.place, p.number, p.channel, p.body, p.at, p.received_at AS "receivedAt", a.node,
      (SELECT count(*) FROM wait_recipients w WHERE w.wait = p.wait AND w.place = p.place AND w.what IS NULL) AS open
    FROM replies p JOIN waits a ON a.id = p.wait WHERE p.wait IS NOT NULL AND a.result_owner = ?1 AND ${isOf("a.node", "?3")} ORDER BY p.wait, p.id LIMIT ?2`;

/** ?5 is `happened` or `other`. */
export const ANSWER = statement("waits_answer")`
    UPDATE wait_recipients SET what = ?5, at = ?4, reply = ?1, asks = 0
    WHERE wait = ?2 AND place = ?3 AND what IS NULL RETURNING place`;
export const TAKE_REPLY = statement("waits_take_reply")`
    UPDATE replies SET wait = NULL, state = CASE WHEN EXISTS (
      SELECT 1 FROM wait_recipients w WHERE w.wait = ?2 AND w.place = ?3 AND w.reply = ?1) THEN 'taken' ELSE state END
    WHERE id = ?1 AND state IN ('new', 'later')`;
export const ANSWERED_BY = statement("waits_answered_by")`
    SELECT place FROM wait_recipients WHERE wait = ?2 AND place = ?3 AND reply = ?1`;
export const NOTE_REPLY = statement("waits_note_reply")`
    UPDATE wait_recipients SET wrote = 1 WHERE wait = ?1 AND place = ?2`;
export const SET_ASIDE = statement("waits_set_aside")`
    UPDATE replies SET wait = NULL, state = 'later' WHERE id = ?1 AND state IN ('new', 'later')`;
export const DROP_REPLY = statement("waits_drop_reply")`DELETE FROM replies WHERE id = ?1`;

/** PostgreSQL asks a count again for a wait that somebody has just adopted, and NOT EXISTS it does not. */
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
