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
  /** Address of the service, or `SIMULATOR`. */
  readonly destination: string;
  readonly number: string;
  /** Who it is for, by `writePerson`; null where no name was given. */
  readonly person: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly state: string;
  /** Epoch ms from which a queued one may leave; null for at once. */
  readonly due: number | null;
  /** Epoch ms at which it was handed to a connection, the last time; null where surely nothing of it left. */
  readonly leftAt: number | null;
  readonly attempts: number;
  readonly outcome: Outcome | null;
  /** What settled it: its `answer`, an `event`, the death of its owner (`orphan`), or a person (`cancel`). */
  readonly settledBy: "answer" | "event" | "orphan" | "cancel" | null;
  readonly answer: string | null;
  /** Epoch ms. */
  readonly takenAt: number;
  readonly settledAt: number | null;
  readonly emittedAt: number | null;
  readonly delivery: string | null;
  readonly deliveryAt: number | null;
  /** Goes on after this entry. */
  readonly cursor: HistoryCursor;
}

/** Takes a search up where a page ended. */
export type HistoryCursor = readonly [
  takenAt: number,
  job: number,
  part: number,
  place: number,
  request: number,
];

/** Of a recipient `c` with its request `r` and job `j`. */
const COLUMNS = `j.id AS job, r.id AS request, r.part, c.place, j.account, j.node, j.channel, r.operation, r.destination, c.number, c.person,
  r.client_message_id, r.transfer_id, r.state, r.due, r.left_at, r.attempts, r.outcome, r.settled_by, r.answer, j.taken_at, r.settled_at,
  r.emitted_at, c.delivery, c.delivery_at`;

/** An entry of what a query finds. @param found ends with FROM and all that follows it, without the columns */
export const entriesOf = (found: (columns: string) => string): string =>
  `SELECT w.job, w.request, w.part, w.place, w.account, w.node, w.channel, w.operation, w.destination, w.number, w.person,
    w.client_message_id AS "clientMessageId", w.transfer_id AS "transferId", w.state, w.due, w.left_at AS "leftAt", w.attempts,
    w.outcome, w.settled_by AS "settledBy", w.answer, w.taken_at AS "takenAt", w.settled_at AS "settledAt",
    w.emitted_at AS "emittedAt", w.delivery, w.delivery_at AS "deliveryAt" FROM (${found(COLUMNS)}) w`;

type Place = Pick<HistoryEntry, "takenAt" | "job" | "part" | "place" | "request">;

/** Where a search goes on behind a row. */
export function cursorOf(row: Row): HistoryCursor {
  const { takenAt, job, part, place, request } = row as unknown as Place;
  return [takenAt, job, part, place, request];
}

/** @param row of `entriesOf` */
export const toEntry = (row: Row): HistoryEntry => ({
  ...(row as unknown as Omit<HistoryEntry, "cursor">),
  cursor: cursorOf(row),
});
