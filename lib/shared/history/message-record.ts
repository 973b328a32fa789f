import type { Outcome } from "../outcomes";

/**
 * Where a message stands: `waiting` in the queue, `paused` by a person, `without-node` where its node no longer exists,
 * `sending`, or `done` with an outcome.
 */
export type MessageState = "waiting" | "paused" | "without-node" | "sending" | "done";

/**
 * What an account remembers of one message to one recipient. Properties that `msg.result` has as well bear its names and values.
 * All times are texts in ISO 8601 with milliseconds in UTC, such as `2025-06-01T12:00:00.000Z`. Part of the message contract.
 */
export interface MessageRecord {
  /** Unique in the account's store: the request and the place of the recipient in it, such as `17-0`. */
  readonly id: string;
  /** The message of the flow, its request, and the positions of the request in the message and of the recipient in the request. */
  readonly job: number;
  readonly request: number;
  readonly part: number;
  readonly place: number;
  /** Id of the account node, and path of the node that took it: ids of its tab, of subflows around it, and its own, with slashes. */
  readonly account: string;
  readonly node: string;
  /** `SMS`, `WhatsApp` or `RCS`. */
  readonly channel: string;
  readonly operation: string;
  /** In international form with plus, whatever form the service takes. Of what could not be read as a number, as it was given. */
  readonly recipient: string;
  /** The name that the row of a list has for the recipient; null where it has none. */
  readonly name: string | null;
  /** Place in the list, from 1, of a recipient that has a name or could not be read as a number. Else null, as for a message to nobody else. */
  readonly row: number | null;
  readonly state: MessageState;
  /** Where it stands, as a sentence in Node-RED's language. */
  readonly meaning: string;
  /** null until it is done. */
  readonly outcome: Outcome | null;
  /** From here to `source` as in the result of the send node; null where there was no answer. */
  readonly statusCode: number | null;
  readonly statusName: string | null;
  readonly statusMessage: string | null;
  /** What to do now, in Node-RED's language; of the answer in that of its time. null while there is nothing to do. */
  readonly advice: string | null;
  readonly parameter: string | null;
  readonly httpStatus: number | null;
  readonly smsCount: number | null;
  readonly source: "service" | "local" | null;
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  readonly attempts: number;
  /** When the node took the message. */
  readonly takenAt: string;
  /** Of a waiting one: when it may leave; null for at once. */
  readonly dueAt: string | null;
  /** When its outcome was known, and when its result left the node. */
  readonly settledAt: string | null;
  /** The furthest status that the service reported, in lower case, such as `delivered`; null before the first report. */
  readonly delivery: string | null;
  readonly deliveryAt: string | null;
  /**
   * What decided its outcome: the `answer` of the service or a fault on this side, a later `event`, the end of Node-RED while it was
   * being sent (`orphan`), or a person (`cancel`).
   */
  readonly settledBy: "response" | "event" | "process-ended" | "cancel" | null;
  /** Sent as a test: no SMS was made. */
  readonly test: boolean;
  readonly simulated: boolean;
}

/** Kinds of steps in the life of a message. `status` is a report that is neither final nor a success. */
export type TimelineKind =
  | "queued"
  | "sending"
  | "answered"
  | "cancelled"
  | "interrupted"
  | "delivered"
  | "read"
  | "failed"
  | "status"
  | "reply";

/** One step in the life of a message. */
export interface TimelineStep {
  readonly kind: TimelineKind;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** What happened, as a sentence in Node-RED's language. It holds no number and no text of a person. */
  readonly text: string;
  /** The service's word of a report, in lower case. */
  readonly status: string | null;
  /** The outcome that an answer or the lack of one gave. */
  readonly outcome: Outcome | null;
  /** The event as JSON where the account keeps texts. */
  readonly body: string | null;
}
