import { sizeOfValue } from "../util/size-of-value";

/** What a webhook is called for: messages that came in, or what became of messages that went out. */
export type WebhookKind = "inbound" | "status";

/** What an event tells; `raw` is whatever somebody asked for. */
export type EventKind = "inbound" | "sms" | "status" | "report" | "raw";

/** One try to hand an event to a webhook. */
export interface DeliveryAttempt {
  /** Start, milliseconds since the epoch. */
  readonly at: number;
  /** null when no answer was read. */
  readonly httpStatus: number | null;
  /** The number in the answer's field `statusCode`; null where there was none. */
  readonly statusCode: number | null;
  /** null for the right acknowledgement; `cut` is the simulator's own doing. */
  readonly problem: "connection" | "timeout" | "wrong-answer" | "cut" | null;
}

/** Why an event reached nobody: see `SimulatedDelivery.dropped`. */
export type DropReason = "nobody-registered" | "too-many-pending" | "callback-not-allowed" | "unregistered";

/** One event on its way to one webhook. */
export interface SimulatedDelivery {
  /** Counts up from 1 within the account. */
  readonly id: number;
  /** When the event happened, milliseconds since the epoch. */
  readonly at: number;
  /** Address, with user, password and the values of the query masked; null where there is none. */
  readonly webhook: string | null;
  readonly kind: WebhookKind;
  readonly event: EventKind;
  readonly payload: unknown;
  /** Of the payload, where it has one. */
  readonly transferId: string | null;
  /** Of the payload, where it has one. */
  readonly clientMessageId: string | null;
  readonly state: "waiting" | "acknowledged" | "given-up" | "dropped";
  /**
   * Only where the state is `dropped`: there was no webhook of this kind, too many events were waiting, the send's
   * own address is none that may be called, or the webhook was unregistered meanwhile.
   */
  readonly dropped: DropReason | null;
  /** 1, but where events were dropped together: `payload` is then the first of them. */
  readonly events: number;
  /** Number of tries so far. */
  readonly tries: number;
  /** The latest tries, oldest first, at most 20. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Milliseconds since the epoch; null when none is planned, or the next one only waits for a free connection. */
  readonly nextTry: number | null;
}

/** A webhook as it can be shown. */
export interface RegisteredWebhook {
  /** Counts up from 1 within the account. */
  readonly id: number;
  readonly kind: WebhookKind;
  /** Masked as in a delivery. */
  readonly url: string;
  /** Names with masked values. */
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  /** True: whoever registered it is away for a while, and is expected back. */
  readonly kept: boolean;
  /** Every so many-th try is cut; 0 = none. */
  readonly cutEvery: number;
  /** Events that are not acknowledged yet. */
  readonly pending: number;
}

export type Changeable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

/** Approximate bytes in memory, for the bounded log. */
export function sizeOfDelivery({ payload }: SimulatedDelivery): number {
  return 1500 + sizeOfValue(payload);
}
