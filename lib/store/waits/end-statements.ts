import { each, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { isOf } from "./read-statements";

/** A reply in time is read before the wait expires. */
const hasReadReplies = (wait: string): string =>
  `NOT EXISTS (SELECT 1 FROM replies p WHERE p.wait = ${wait}.id)`;

export const DUE = statement("waits_due")`
    UPDATE waits SET phase = CASE WHEN group_key IS NULL THEN 'ending' ELSE 'due' END
    WHERE id IN (SELECT a.id FROM waits a WHERE a.phase = 'open' AND a.result_owner = ?1 AND a.until <= ?2 AND ${isOf("a.node", "?4")} AND ${hasReadReplies("a")}
      ORDER BY a.until, a.id LIMIT ?3) AND coalesce(phase, '') = 'open'
    RETURNING group_key`;
/** Every wait of the group is due, and every reply to it is read. */
const isOfClosedGroup = `NOT EXISTS (SELECT 1 FROM waits g WHERE g.group_key = waits.group_key AND g.phase = 'open')
      AND group_key NOT IN (SELECT g.group_key FROM replies p CROSS JOIN waits g
        WHERE p.wait > 0 AND g.id = p.wait AND g.phase = 'due' AND g.group_key IS NOT NULL)`;
export const END_GROUPS = statement("waits_end_groups")`
    UPDATE waits SET phase = 'ending'
    WHERE phase = 'due' AND result_owner = ?1 AND group_key IS NOT NULL AND ${isOfClosedGroup}`;
/** ?1 now. */
export const TIME_OUT = statement("waits_time_out")`
    UPDATE wait_recipients SET outcome = 'timed_out', at = ?1, expects_reply = 0
    WHERE outcome IS NULL AND wait IN (SELECT a.id FROM waits a WHERE a.phase = 'ending')`;
export const END = statement("waits_end")`
    UPDATE waits SET phase = 'ended' WHERE phase = 'ending' RETURNING result_owner AS "resultOwner"`;
export const NEXT_END = statement("waits_next_end")`
    SELECT a.until FROM waits a WHERE a.phase = 'open' AND a.result_owner = ?1 AND ${isOf("a.node", "?2")} AND ${hasReadReplies("a")}
    ORDER BY a.until, a.id LIMIT 1`;

/** Entries of ?1: wait, idx. */
const emittedWaits = sql`SELECT DISTINCT CAST(e.value ->> 0 AS bigint) AS id FROM ${each("?1")}`;
export const DELETE_REPLIES = statement("waits_delete_replies")`
    DELETE FROM replies WHERE id IN (SELECT w.reply FROM ${each("?1")} CROSS JOIN wait_recipients w
      WHERE w.wait = CAST(e.value ->> 0 AS bigint) AND w.idx = CAST(e.value ->> 1 AS integer) AND w.reply IS NOT NULL)`;
export const DELETE_RECIPIENTS = statement("waits_delete_recipients")`
    DELETE FROM wait_recipients WHERE (wait, idx) IN (
      SELECT CAST(e.value ->> 0 AS bigint), CAST(e.value ->> 1 AS integer) FROM ${each("?1")})`;
export const RECOUNT = statement("waits_recount")`
    UPDATE waits SET open = b.open, emitted = emitted + waits.open - b.open,
      phase = CASE WHEN b.open = 0 THEN 'ended' ELSE phase END, snapshot = CASE WHEN b.open = 0 THEN NULL ELSE snapshot END
    FROM (SELECT l.id, (SELECT count(*) FROM wait_recipients w WHERE w.wait = l.id) AS open FROM (${emittedWaits}) l) b
    WHERE waits.id = b.id AND waits.phase IN ('open', 'due', 'ending', 'ended')`;
export const END_GROUPS_OF = statement("waits_end_groups_of")`
    UPDATE waits SET phase = 'ending'
    WHERE phase = 'due' AND group_key IN (SELECT o.group_key FROM (${emittedWaits}) l CROSS JOIN waits o WHERE o.id = l.id)
      AND ${isOfClosedGroup}`;
