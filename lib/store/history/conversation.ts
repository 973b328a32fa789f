import type { ShownOutcome } from "../../shared/outcomes";
import type { Engine } from "../engine/engine";
import { call } from "../engine/query";
import { isPerson } from "../schema/person";
import { lookUp, lookUpIfAny, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { shownOutcomeOf } from "./history-filter";
import { isOfAccount } from "../schema/scope";

/** What is read of a conversation. */
export interface ConversationFilter {
  readonly account: string;
  /** Digits of the person. */
  readonly number: string;
  /** Epoch ms from which on messages came or left. */
  readonly since: number;
  /** The newest so many, up to `MOST_LOOKED`. */
  readonly most: number;
  /** Whether it has what surely did not reach the person as well: what waits, was refused, or was only a test. */
  readonly unsent: boolean;
}

/** A message to a person. */
export interface OutboundMessage {
  readonly direction: "out";
  /** Epoch ms at which it was handed to a connection; of one that was not, at which it was taken. */
  readonly at: number;
  readonly request: number;
  readonly place: number;
  readonly operation: string;
  /** Of a request, such as `settled`. */
  readonly state: string;
  readonly outcome: ShownOutcome | null;
  readonly delivery: string | null;
  /** A call that speaks its text. */
  readonly spoken: boolean;
  /** Sent as a test, of which the service made no message. */
  readonly test: boolean;
  /** Taken by the built-in simulator. */
  readonly simulated: boolean;
  /** Its fields as JSON; null where they are not kept. */
  readonly content: string | null;
}

/** A message of a person. */
export interface InboundMessage {
  readonly direction: "in";
  /** Epoch ms at which it was received; where it was written long before that, at which it was written. `since` and the order are by it. */
  readonly at: number;
  readonly event: number;
  /** Sent by the built-in simulator. */
  readonly simulated: boolean;
  /** The event as JSON, its first `MOST_BODY` characters; null where texts were not kept as it came. */
  readonly body: string | null;
}

/** What was found. */
export interface ConversationFound {
  /** The oldest one first. */
  readonly messages: readonly (OutboundMessage | InboundMessage)[];
  /** Whether there are older ones in the time that was asked for, or may be behind those that were looked at. */
  readonly more: boolean;
}

/** Messages of the account to the number that are looked at, the newest ones. */
export const MOST_LOOKED = 1_000;

/** Characters that are read of an event: a call of a webhook may have megabytes, and a conversation a thousand of them. */
export const MOST_BODY = 65_536;

/** ms between writing and coming from which on the time of writing counts. Below it the clocks of service and computer may differ. */
const LATE = 120_000;

/** Whether the JSON of a request says so. Within a text its quotes would be escaped. */
const says = (column: string, name: string): string => `coalesce(${column}, '') LIKE '%"${name}":true%'`;
const CONTENT = "coalesce(o.content, (SELECT t.content FROM texts t WHERE t.id = m.id))";
const IS_TEST = `(${says(CONTENT, "test")} OR ${says("m.response", "test")})`;
const AT = "coalesce(o.sent_at, m.sent_at, m.accepted_at)";
const flag = (condition: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;

/** The newest messages of the account to the number. Requests are in the order in which they were taken; a scheduled one leaves later than that. */
const LOOKED = sql`SELECT q.id AS request, CAST(0 AS integer) AS place, q.delivery FROM messages q WHERE ${isPerson("q.recipient", "?2")} AND q.account = ?1
      UNION ALL
      SELECT c.request, c.idx, c.delivery FROM recipients c ${lookUp("messages", "q", "q.id = c.request")}
      WHERE ${isPerson("c.recipient", "?2")} AND q.account = ?1 ORDER BY request DESC`;

/** The message of one of them. */
const MESSAGE = sql`${lookUp("messages", "m", "m.id = p.request")} ${lookUpIfAny("outbox", "o", "o.id = m.id")}`;

const OUTBOUND = statement("history_conversation_out")`
    SELECT m.id AS request, p.place, m.operation, coalesce(o.state, 'emitted') AS state, ${shownOutcomeOf("m")} AS outcome, p.delivery,
      ${AT} AS at, ${flag("m.channel = 'Voice'")} AS spoken, ${flag(IS_TEST)} AS test, m.simulated, ${CONTENT} AS content
    FROM (${LOOKED} LIMIT ${MOST_LOOKED + 1}) p ${MESSAGE}
    WHERE ${AT} >= ?3
      AND (CAST(?5 AS integer) = 1 OR ((o.state = 'sending' OR m.outcome IN ('sent', 'queued', 'unknown')) AND NOT ${IS_TEST}))
    ORDER BY at DESC, m.id DESC, p.place LIMIT ?4`;

/** The first message that is not looked at any more, where it is of the time that was asked for. */
const BEHIND = statement("history_conversation_behind")`
    SELECT 1 AS behind FROM (${LOOKED} LIMIT 1 OFFSET ${MOST_LOOKED}) p
    ${MESSAGE} WHERE ${AT} >= ?3`;

const WRITTEN = `CASE WHEN received_at - at > ${LATE} THEN at ELSE received_at END`;

// Nothing is written after it was received: the first comparison is for the index.
const INBOUND = statement("history_conversation_in")`
    SELECT p.event, p.body, p.at, p.simulated FROM (
      SELECT id AS event, substr(body, 1, ${MOST_BODY}) AS body, ${WRITTEN} AS at,
        ${flag("account <> ?1")} AS simulated FROM events
      WHERE ${isPerson("number", "?2")} AND ${isOfAccount("account", "?1")} AND kind = 'inbound' AND received_at >= ?3 AND ${WRITTEN} >= ?3
      ORDER BY received_at DESC, id DESC LIMIT ${MOST_LOOKED + 1}) p
    ORDER BY p.at DESC, p.event DESC LIMIT ?4`;

const keyOf = (each: OutboundMessage | InboundMessage): number =>
  each.direction === "in" ? each.event : each.request;

/** What came and what left in the same ms: nobody answers that quickly but a flow. */
const byTime = (one: OutboundMessage | InboundMessage, other: OutboundMessage | InboundMessage): number =>
  one.at - other.at || one.direction.localeCompare(other.direction) || keyOf(one) - keyOf(other);

/**
 * The newest messages of a person and to that person, on all channels, oldest first.
 * @throws StoreError
 */
export async function readConversation(
  engine: Engine,
  { account, number, since, most, unsent }: ConversationFilter,
): Promise<ConversationFound> {
  const asked = [account, number, since] as const;
  const [sent = [], received = [], behind = []] = await engine.read([
    call(OUTBOUND, ...asked, most + 1, unsent ? 1 : 0),
    call(INBOUND, ...asked, most + 1),
    call(BEHIND, ...asked),
  ]);
  const all = [
    ...sent.map((row) => ({
      ...row,
      direction: "out",
      spoken: Number(row.spoken) === 1,
      test: Number(row.test) === 1,
      simulated: Number(row.simulated) === 1,
    })),
    ...received.map((row) => ({ ...row, direction: "in", simulated: Number(row.simulated) === 1 })),
  ] as unknown as (OutboundMessage | InboundMessage)[];
  return { messages: all.sort(byTime).slice(-most), more: all.length > most || behind.length > 0 };
}
