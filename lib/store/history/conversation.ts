import type { ShownOutcome } from "../../shared/outcomes";
import type { Engine } from "../engine/engine";
import { call } from "../engine/query";
import { lookUp } from "../schema/sql";
import { sealedSql } from "../schema/sealed-text";
import { statement } from "../schema/statement";
import { shownOutcomeOf } from "./history-search";

/** What is read of a conversation. */
export interface ConversationFilter {
  readonly account: string;
  /** Digits of the person. */
  readonly number: string;
  /** Epoch ms from which on messages came or left. */
  readonly since: number;
  /** The newest so many. */
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
  /** Its fields as JSON; null where they are not kept, or are encrypted. */
  readonly content: string | null;
}

/** A message of a person. */
export interface InboundMessage {
  readonly direction: "in";
  /** Epoch ms at which it was received; where it was written long before that, at which it was written. */
  readonly at: number;
  readonly event: number;
  /** The event as JSON; null where texts were not kept as it came. */
  readonly body: string | null;
}

/** Messages to the number that are looked at, the newest ones. */
export const MOST_LOOKED = 1_000;

/** ms between writing and coming from which on the time of writing counts. Below it the clocks of service and computer may differ. */
const LATE = 120_000;

const TEST = `LIKE '%"test":true%'`;

// Within a text of JSON the quotes of `TEST` would be escaped. Requests are in the order in which they were taken; a scheduled one leaves later than that.
const OUTBOUND = statement("history_conversation_out")`
    SELECT r.id AS request, p.place, r.operation, r.state, ${shownOutcomeOf("r")} AS outcome, p.delivery, coalesce(r.left_at, j.taken_at) AS at,
      CASE WHEN ${sealedSql("r.content")} THEN NULL ELSE r.content END AS content
    FROM (SELECT c.request, c.place, c.delivery FROM recipients c WHERE c.number = ?2 ORDER BY c.request DESC LIMIT ${MOST_LOOKED}) p
    ${lookUp("requests", "r", "r.id = p.request")} ${lookUp("jobs", "j", "j.id = r.job")}
    WHERE j.account = ?1 AND coalesce(r.left_at, j.taken_at) >= ?3
      AND (CAST(?5 AS integer) = 1 OR (
        (r.state = 'leaving' OR r.outcome IN ('sent', 'queued', 'unknown'))
        AND coalesce(r.content, '') NOT ${TEST} AND coalesce(r.answer, '') NOT ${TEST}))
    ORDER BY at DESC, r.id DESC, p.place LIMIT ?4`;

const INBOUND = statement("history_conversation_in")`
    SELECT id AS event, body, CASE WHEN received_at - at > ${LATE} THEN at ELSE received_at END AS at FROM events
    WHERE number = ?2 AND account = ?1 AND kind = 'inbound' AND received_at >= ?3 ORDER BY received_at DESC, id DESC LIMIT ?4`;

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
): Promise<readonly (OutboundMessage | InboundMessage)[]> {
  const asked = [account, number, since, most] as const;
  const [sent = [], received = []] = await engine.read([
    call(OUTBOUND, ...asked, unsent ? 1 : 0),
    call(INBOUND, ...asked),
  ]);
  const all = [
    ...sent.map((row) => ({ ...row, direction: "out" })),
    ...received.map((row) => ({ ...row, direction: "in" })),
  ] as unknown as (OutboundMessage | InboundMessage)[];
  return all.sort(byTime).slice(-most);
}
