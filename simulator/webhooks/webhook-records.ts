/** What a webhook gets: inbound messages, or statuses and reports of sent messages. */
export type WebhookKind = "inbound" | "status";

/** Type of an event; `raw` is any JSON value. */
export type EventKind = "inbound" | "sms" | "status" | "report" | "raw";

/** One attempt to deliver an event to a webhook. */
export interface DeliveryAttempt {
  /** Start, milliseconds since the epoch. */
  readonly at: number;
  /** null if no answer was read. */
  readonly httpStatus: number | null;
  /** Integer in the field `statusCode` of the answer; null for none. */
  readonly statusCode: number | null;
  /** null for a valid acknowledgement; `cut` if the simulator cut the connection. */
  readonly problem: "connection" | "timeout" | "wrong-answer" | "cut" | null;
}

/** Why an event was not delivered: see `SimulatedDelivery.dropped`. */
export type DropReason = "nobody-registered" | "too-many-pending" | "callback-not-allowed" | "unregistered";

/** The delivery of one event to one webhook. */
export interface SimulatedDelivery {
  /** Sequence number within the account, from 1. */
  readonly id: number;
  /** Time of the event, milliseconds since the epoch. */
  readonly at: number;
  /** URL with masked user, password and query values; null for none. */
  readonly webhook: string | null;
  readonly kind: WebhookKind;
  readonly event: EventKind;
  readonly payload: unknown;
  /** From the payload; null for none. */
  readonly transferId: string | null;
  /** From the payload; null for none. */
  readonly clientMessageId: string | null;
  readonly state: "waiting" | "acknowledged" | "given-up" | "dropped";
  /**
   * Only in the state `dropped`: no webhook of this kind was registered, too many events were pending, the callback
   * address of the send is not permitted, or the webhook was unregistered.
   */
  readonly dropped: DropReason | null;
  /** Number of events; above 1 only for events dropped together, where `payload` is that of the first. */
  readonly events: number;
  /** Number of attempts so far. */
  readonly tries: number;
  /** The latest attempts, oldest first, at most 20. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Milliseconds since the epoch; null if none is planned or the next one waits for a free connection. */
  readonly nextTry: number | null;
}

/** A registered webhook without secrets. */
export interface RegisteredWebhook {
  /** Sequence number within the account, from 1. */
  readonly id: number;
  readonly kind: WebhookKind;
  /** Masked as in a delivery. */
  readonly url: string;
  /** Names with masked values. */
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  /** True after `unregister({ keep: true })`: the client is expected to register again. */
  readonly kept: boolean;
  /** Each n-th attempt is cut; 0 for none. */
  readonly cutEvery: number;
  /** Events that are not acknowledged yet. */
  readonly pending: number;
}

/** The same properties without `readonly`. */
export type Changeable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };
