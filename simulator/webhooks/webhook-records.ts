export type WebhookKind = "inbound" | "status";

export type EventKind = "inbound" | "sms" | "status" | "report" | "raw";

export interface DeliveryAttempt {
  readonly at: number;
  readonly httpStatus: number | null;
  readonly statusCode: number | null;
  /** null for a valid acknowledgement; `cut` if the simulator cut the connection. */
  readonly problem: "connection" | "timeout" | "wrong-answer" | "cut" | null;
}

export type DropReason = "nobody-registered" | "too-many-pending" | "callback-not-allowed" | "unregistered";

export interface SimulatedDelivery {
  readonly id: number;
  readonly at: number;
  readonly webhook: string | null;
  readonly kind: WebhookKind;
  readonly event: EventKind;
  readonly payload: unknown;
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  readonly state: "waiting" | "acknowledged" | "given-up" | "dropped";
  readonly dropped: DropReason | null;
  /** Number of events; above 1 only for events dropped together, where `payload` is that of the first. */
  readonly events: number;
  readonly tries: number;
  readonly attempts: readonly DeliveryAttempt[];
  readonly nextTry: number | null;
}

export interface RegisteredWebhook {
  readonly id: number;
  readonly kind: WebhookKind;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  /** True after `unregister({ keep: true })`: the client is expected to register again. */
  readonly kept: boolean;
  readonly cutEvery: number;
  readonly pending: number;
}

export type Changeable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };
