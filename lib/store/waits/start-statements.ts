import { requestOfEvent } from "../schema/expressions";
import { isPerson } from "../schema/person";
import { among, each, lookUp, lookUpIfAny, placeOf, type Sql, sql, textsOf } from "../schema/sql";
import { statement } from "../schema/statement";
import { COLUMNS } from "./read-statements";
import { scopeOfMessage } from "../schema/scope";

// Entries: key, account, node, result owner, kind, channel, transfer id, client message id, end, group, snapshot, recipient, scope.
export const ADD = statement("waits_add")`
    INSERT INTO waits (wait_key, account, node, result_owner, kind, channel, request, started_at, until, phase, group_key, recipients, open,
      emitted, snapshot)
    WITH n AS MATERIALIZED (
      SELECT e.value ->> 0 AS wait_key, e.value ->> 1 AS account, e.value ->> 2 AS node, e.value ->> 3 AS result_owner,
        e.value ->> 4 AS kind, e.value ->> 5 AS channel, e.value ->> 8 AS until, e.value ->> 9 AS group_key,
        e.value ->> 10 AS snapshot, ${placeOf()} AS idx,
        ${requestOfEvent("e.value ->> 12", "e.value ->> 6", "e.value ->> 7", "e.value ->> 11")} AS request
      FROM ${each("?1")})
    SELECT n.wait_key, n.account, n.node, n.result_owner, n.kind, n.channel, n.request, CAST(?2 AS bigint), CAST(n.until AS bigint), 'new',
      n.group_key, 0, 0, 0, n.snapshot
    FROM n WHERE n.request IS NOT NULL ORDER BY n.idx ON CONFLICT (wait_key) DO NOTHING`;

/** ?1 keys of waits. */
export const isStarted = (waits = "a"): Sql => sql`${waits}.wait_key ${among(textsOf("?1"))}`;

/** No delivery has this rank. */
const NO_RANK = 9;

/** ?1 keys of waits that may continue an earlier one. */
export const DELETE_REPEATED = statement("waits_delete_repeated")`
    DELETE FROM waits WHERE phase = 'new' AND id IN (SELECT a.id FROM waits a CROSS JOIN wait_recipients w CROSS JOIN waits o
      WHERE ${isStarted()} AND w.request = a.request AND w.outcome IS NULL AND o.id = w.wait AND o.account = a.account
        AND o.node = a.node AND o.kind = a.kind)
    RETURNING wait_key`;

export const ADD_RECIPIENTS = statement("waits_add_recipients")`
    INSERT INTO wait_recipients (wait, idx, account, request, number, min_rank, expects_reply, channel, replaced, replied)
    SELECT a.id, coalesce(c.idx, 0), ${scopeOfMessage("m")}, a.request, coalesce(m.recipient, c.recipient),
      CASE a.kind WHEN 'delivered' THEN 5 WHEN 'read' THEN 6 ELSE ${NO_RANK} END, CASE a.kind WHEN 'reply' THEN 1 ELSE 0 END,
      a.channel, 0, 0
    FROM waits a ${lookUp("messages", "m", "m.id = a.request")}
      ${lookUpIfAny("recipients", "c", "m.recipient IS NULL AND c.request = a.request")}
    WHERE a.phase = 'new' AND ${isStarted()} AND coalesce(m.recipient, c.recipient) IS NOT NULL`;

export const REPLACE = statement("waits_replace")`
    UPDATE wait_recipients SET expects_reply = 0, replaced = 1
    FROM (SELECT DISTINCT o.wait, o.idx FROM waits a JOIN wait_recipients w ON w.wait = a.id AND w.expects_reply = 1
      JOIN wait_recipients o ON o.account = w.account AND ${isPerson("o.number", "w.number")} AND o.expects_reply = 1 AND o.outcome IS NULL AND o.wait < w.wait
        AND (o.channel = w.channel OR o.channel = 'any' OR w.channel = 'any')
      WHERE a.phase = 'new' AND ${isStarted()}) b
    WHERE wait_recipients.wait = b.wait AND wait_recipients.idx = b.idx`;

export const COUNT = statement("waits_count")`
    UPDATE waits SET phase = 'open',
      recipients = (SELECT count(*) FROM wait_recipients w WHERE w.wait = waits.id),
      open = (SELECT count(*) FROM wait_recipients w WHERE w.wait = waits.id)
    WHERE phase = 'new' AND ${isStarted("waits")}`;

export const STARTED = statement("waits_started")`SELECT ${COLUMNS} FROM waits a WHERE ${isStarted()}`;
