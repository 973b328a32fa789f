import type { Outcome } from "../../shared/outcomes";
import type { Row } from "../engine/engine";

/** One recipient of one request. */
export interface HistoryEntry {
  readonly job: number;
  readonly request: number;
  readonly part: number;
  readonly place: number;
  readonly account: string;
  readonly node: string;
  readonly channel: string;
  readonly operation: string;
  /** Sent to the built-in simulator. */
  readonly simulated: boolean;
  readonly number: string;
  /** Who it is for, by `writePerson`; null where no name was given. */
  readonly person: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  /** Of the outbox; `emitted` if the request is not in it any more. */
  readonly state: string;
  /** Epoch ms from which a queued one may be sent; null for at once. */
  readonly due: number | null;
  /** Epoch ms at which it was handed to a connection, the last time; null where surely nothing of it was sent. */
  readonly leftAt: number | null;
  readonly attempts: number;
  readonly outcome: Outcome | null;
  /** What settled it: its `response`, an `event`, the end of its process, or a person (`cancel`). */
  readonly settledBy: "response" | "event" | "process-ended" | "cancel" | null;
  readonly answer: string | null;
  /** Epoch ms. */
  readonly takenAt: number;
  readonly settledAt: number | null;
  readonly delivery: string | null;
  readonly deliveryAt: number | null;
  /** Goes on after this entry. */
  readonly cursor: HistoryCursor;
}

/** Takes a search up where a page ended. */
export type HistoryCursor = readonly [takenAt: number, request: number, place: number];

/** Columns of an entry `w`, by its names. */
export const ENTRY = `w.job, w.request, w.part, w.place, w.account, w.node, w.channel, w.operation, w.simulated, w.number, w.person,
    w.client_id AS "clientMessageId", w.transfer_id AS "transferId", w.state, w.due, w.sent_at AS "leftAt", w.attempts,
    w.outcome, w.settled_by AS "settledBy", w.response AS answer, w.accepted_at AS "takenAt", w.settled_at AS "settledAt",
    w.delivery, w.delivery_at AS "deliveryAt"`;

/** How a recipient of a message `m` is read: one in its row, one of a list `c`, or either. */
export type RecipientOf = "row" | "list" | "any";

const RECIPIENT: Readonly<Record<RecipientOf, readonly string[]>> = {
  row: ["m.id", "CAST(0 AS integer)", "m.recipient", "m.delivery", "m.delivery_at"],
  list: ["c.request", "c.idx", "c.recipient", "c.delivery", "c.delivery_at"],
  any: [
    "m.id",
    "coalesce(c.idx, 0)",
    "coalesce(m.recipient, c.recipient)",
    "coalesce(c.delivery, m.delivery)",
    "coalesce(c.delivery_at, m.delivery_at)",
  ],
};

/** What entries are made from: of a message `m` and its row `o` of the outbox. */
export function columnsOf(recipient: RecipientOf): string {
  const [request, place, number, delivery, deliveryAt] = RECIPIENT[recipient];
  return `m.job, ${request} AS request, m.part, ${place} AS place, m.account, m.node, m.channel, m.operation, m.simulated, ${number} AS number,
  m.recipient_name AS person, m.client_id, m.transfer_id, coalesce(o.state, 'emitted') AS state, o.due,
  coalesce(o.sent_at, m.sent_at) AS sent_at, CASE WHEN m.outcome IS NULL THEN o.attempts ELSE m.attempts END AS attempts, m.outcome,
  m.settled_by, m.response, m.accepted_at, m.settled_at, ${delivery} AS delivery, ${deliveryAt} AS delivery_at`;
}

/** Where a search goes on behind a row. */
export function cursorOf(row: Row): HistoryCursor {
  return [Number(row.takenAt), Number(row.request), Number(row.place)];
}

/** @param row with the columns of `ENTRY` */
export const toEntry = (row: Row): HistoryEntry => ({
  ...(row as unknown as Omit<HistoryEntry, "cursor">),
  simulated: Number(row.simulated) === 1,
  cursor: cursorOf(row),
});
