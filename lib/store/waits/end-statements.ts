import { each, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { isOf } from "./look-statements";

/** A reply that came in time is looked at before the wait ends. */
const hasLooked = (wait: string): string => `NOT EXISTS (SELECT 1 FROM replies p WHERE p.wait = ${wait}.id)`;

export const DUE = statement("waits_due")`
    UPDATE waits SET phase = CASE WHEN group_key IS NULL THEN 'ending' ELSE 'due' END
    WHERE id IN (SELECT a.id FROM waits a WHERE a.phase = 'open' AND a.result_owner = ?1 AND a.until <= ?2 AND ${isOf("a.node", "?4")} AND ${hasLooked("a")}
      ORDER BY a.until, a.id LIMIT ?3) AND coalesce(phase, '') = 'open'
    RETURNING group_key`;
/** None of its waits goes on, and all replies to them are looked at. */
const isOfClosedGroup = `NOT EXISTS (SELECT 1 FROM waits g WHERE g.group_key = waits.group_key AND g.phase = 'open')
      AND group_key NOT IN (SELECT g.group_key FROM replies p CROSS JOIN waits g
        WHERE p.wait > 0 AND g.id = p.wait AND g.phase = 'due' AND g.group_key IS NOT NULL)`;
export const END_GROUPS = statement("waits_end_groups")`
    UPDATE waits SET phase = 'ending'
    WHERE phase = 'due' AND result_owner = ?1 AND group_key IS NOT NULL AND ${isOfClosedGroup}`;
/** Nothing is `ending` but in the operation that makes it so. ?1 now. */
export const SILENCE = statement("waits_silence")`
    UPDATE wait_recipients SET what = 'silent', at = ?1, asks = 0
    WHERE what IS NULL AND wait IN (SELECT a.id FROM waits a WHERE a.phase = 'ending') RETURNING place`;
export const END = statement("waits_end")`
    UPDATE waits SET phase = 'over' WHERE phase = 'ending' RETURNING result_owner AS "resultOwner"`;
export const NEXT_END = statement("waits_next_end")`
    SELECT a.until FROM waits a WHERE a.phase = 'open' AND a.result_owner = ?1 AND ${isOf("a.node", "?2")} AND ${hasLooked("a")}
    ORDER BY a.until, a.id LIMIT 1`;

/** Entries of ?1: wait, place. */
const leftWaits = sql`SELECT DISTINCT CAST(e.value ->> 0 AS bigint) AS id FROM ${each("?1")}`;
export const FORGET_REPLIES = statement("waits_forget_replies")`
    DELETE FROM replies WHERE id IN (SELECT w.reply FROM ${each("?1")} CROSS JOIN wait_recipients w
      WHERE w.wait = CAST(e.value ->> 0 AS bigint) AND w.place = CAST(e.value ->> 1 AS integer) AND w.reply IS NOT NULL)`;
export const FORGET = statement("waits_forget")`
    DELETE FROM wait_recipients WHERE (wait, place) IN (
      SELECT CAST(e.value ->> 0 AS bigint), CAST(e.value ->> 1 AS integer) FROM ${each("?1")})`;
export const RECOUNT = statement("waits_recount")`
    UPDATE waits SET open = b.open, left_count = left_count + waits.open - b.open,
      phase = CASE WHEN b.open = 0 THEN 'over' ELSE phase END, snapshot = CASE WHEN b.open = 0 THEN NULL ELSE snapshot END
    FROM (SELECT l.id, (SELECT count(*) FROM wait_recipients w WHERE w.wait = l.id) AS open FROM (${leftWaits}) l) b
    WHERE waits.id = b.id AND waits.phase IN ('open', 'due', 'ending', 'over')`;
export const END_GROUPS_OF = statement("waits_end_groups_of")`
    UPDATE waits SET phase = 'ending'
    WHERE phase = 'due' AND group_key IN (SELECT o.group_key FROM (${leftWaits}) l CROSS JOIN waits o WHERE o.id = l.id)
      AND ${isOfClosedGroup}`;
