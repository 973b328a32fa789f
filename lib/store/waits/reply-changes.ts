import type { Call } from "../engine/engine";
import { call } from "../engine/query";
import { isPerson } from "../schema/person";
import { each, placeOf } from "../schema/sql";
import { statement } from "../schema/statement";
import type { NewReply } from "./wait";
import { sentAt } from "../schema/expressions";
import { scopeOfMessage } from "../schema/scope";

/** An inbound message of a number that is written with its event. */
export interface ReplyOfEvent {
  /** Key of the event, whose row the same operation writes. */
  readonly key: string;
  /** Digits of the sender. */
  readonly number: string;
  /** Epoch ms by the event. */
  readonly at: number;
  readonly reply: NewReply;
}

/** ms after a message was sent in which replies to it are kept for a wait that begins after them. */
const REPLY_AWAITED = 60 * 60 * 1000;

/** The newest question to the number by the channel. */
const question = (column: string): string => `(SELECT w.${column} FROM wait_recipients w
      WHERE w.account = ?2 AND ${isPerson("w.number", "n.number")} AND w.expects_reply = 1 AND w.outcome IS NULL
        AND (w.channel = 'any' OR w.channel = n.channel) ORDER BY w.wait DESC LIMIT 1)`;

// Entries: key of the event, number, channel, time, body. A copy of an event is marked as applied. A text is stored only if
// the sender received a message lately, or is awaited.
const ADD = statement("replies_add")`
    INSERT INTO replies (account, event_key, number, channel, body, at, received_at, state, wait, idx)
    SELECT CAST(?2 AS text), n.event_key, n.number, n.channel, n.body, n.at, CAST(?3 AS bigint), 'new',
      ${question("wait")}, ${question("idx")}
    FROM (SELECT e.value ->> 0 AS event_key, e.value ->> 1 AS number, e.value ->> 2 AS channel,
        CAST(e.value ->> 3 AS bigint) AS at, e.value ->> 4 AS body, ${placeOf()} AS position FROM ${each("?1")}) n
    WHERE (SELECT v.applied FROM events v WHERE v.account = ?2 AND v.event_key = n.event_key) = 0
      AND (EXISTS (SELECT 1 FROM messages m WHERE ${isPerson("m.recipient", "n.number")} AND ${scopeOfMessage("m")} = ?2 AND ${sentAt()} >= ?4)
        OR EXISTS (SELECT 1 FROM recipients c WHERE ${isPerson("c.recipient", "n.number")}
          AND (SELECT ${sentAt()} FROM messages m WHERE m.id = c.request AND ${scopeOfMessage("m")} = ?2) >= ?4)
        OR EXISTS (SELECT 1 FROM wait_recipients w WHERE w.account = ?2 AND ${isPerson("w.number", "n.number")} AND w.expects_reply = 1))
    ORDER BY n.position ON CONFLICT (account, event_key) DO NOTHING
    RETURNING (SELECT a.result_owner FROM waits a WHERE a.id = replies.wait) AS "resultOwner"`;

/**
 * Stores replies for the newest wait of their number, or for a later one. Runs after the events are stored and before they are marked as
 * applied. Its rows have the result owners of these waits.
 */
export function replyChanges(scope: string, now: number, replies: readonly ReplyOfEvent[]): Call {
  const entries = replies.map(({ key, number, at, reply }) => [key, number, reply.channel, at, reply.body]);
  return call(ADD, JSON.stringify(entries), scope, now, now - REPLY_AWAITED);
}
