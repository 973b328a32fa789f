import type { Channel } from "./channel";

export interface RecordedRequest {
  readonly id: number;
  readonly at: number;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * One character per byte (latin1). Empty for uploads, whose size and hash are in `fields`, and for refused
   * requests.
   */
  readonly rawBody: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly httpStatus: number | null;
  readonly statusCode: number | null;
  /** The fault that was applied; `id` names a rule, or is `faulty-recipient` for a faulty recipient. */
  readonly fault: { readonly id: string; readonly kind: string } | null;
}

/** A message that the service accepted, whatever it answered. */
export interface SimulatedMessage {
  readonly transferId: string;
  readonly clientMessageId: string | null;
  readonly operation: string;
  readonly channel: Channel;
  readonly recipients: readonly string[];
  /** The text; for a template the text with values, empty for RCS messages without text. */
  readonly content: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly segmentsPerRecipient: number;
  readonly smsCount: number;
  readonly test: boolean;
  readonly at: number;
  readonly statusCode: number;
}

export interface ReceivedMessage {
  readonly at: number;
  /** `sms`, `whatsapp`, `rcs`, or the name of another messenger. */
  readonly channel: string;
  readonly sender: string;
  readonly content: string;
  readonly mediaId: string | null;
  readonly tapped: string | null;
}
