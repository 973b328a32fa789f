import type { Outcome } from "../outcomes";

export type MessageState = "waiting" | "paused" | "without-node" | "sending" | "done";

/** Part of the message contract. Names and values follow `msg.result`, times are ISO 8601 in UTC. */
export interface MessageRecord {
  /** Request and index of the recipient, such as `17-0`. */
  readonly id: string;
  /** The message, its request, and their indexes. */
  readonly job: number;
  readonly request: number;
  readonly part: number;
  readonly place: number;
  /** The account, and the path of the node: tab, subflows and node, with slashes. */
  readonly account: string;
  readonly node: string;
  /** `SMS`, `WhatsApp` or `RCS`. */
  readonly channel: string;
  readonly operation: string;
  /** With plus. As given, if unreadable. */
  readonly recipient: string;
  /** The name in the list. */
  readonly name: string | null;
  /** Index in the list from 1, for a recipient with a name or an unreadable number. */
  readonly row: number | null;
  readonly state: MessageState;
  readonly meaning: string;
  /** Null until the message is done. */
  readonly outcome: Outcome | null;
  /** From here to `source` as in the result of the send node. */
  readonly statusCode: number | null;
  readonly statusName: string | null;
  readonly statusMessage: string | null;
  readonly advice: string | null;
  readonly parameter: string | null;
  readonly httpStatus: number | null;
  readonly smsCount: number | null;
  readonly source: "service" | "local" | null;
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  readonly attempts: number;
  readonly takenAt: string;
  /** Null: immediately. */
  readonly dueAt: string | null;
  /** When the outcome was known, and when the result was emitted. */
  readonly settledAt: string | null;
  /** The latest status that the service reported, in lower case, such as `delivered`. */
  readonly delivery: string | null;
  readonly deliveryAt: string | null;
  /** Source of the outcome. `event`: a later report. `process-ended`: Node-RED ended during sending. */
  readonly settledBy: "response" | "event" | "process-ended" | "cancel" | null;
  readonly test: boolean;
  readonly simulated: boolean;
}

/** `status`: neither final nor a success. */
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

export interface TimelineStep {
  readonly kind: TimelineKind;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** A sentence without numbers and texts of messages. */
  readonly text: string;
  /** The service's word in lower case. */
  readonly status: string | null;
  readonly outcome: Outcome | null;
  /** JSON, if the account stores texts. */
  readonly body: string | null;
}
