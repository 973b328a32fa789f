export type Channel = "sms" | "flash" | "voice" | "whatsapp" | "rcs";

export interface RecordedRequest {
  readonly id: number;
  readonly at: number;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** One character per byte. Empty for uploads and for refused requests. */
  readonly rawBody: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly httpStatus: number | null;
  readonly statusCode: number | null;
  /** The fault that was applied; `id` names a rule, or is `faulty-recipient` for a faulty recipient. */
  readonly fault: { readonly id: string; readonly kind: string } | null;
}

export interface ParsedMessage {
  readonly channel: Channel;
  /** As given in the request, with or without plus. */
  readonly recipients: readonly string[];
  readonly content: string;
  readonly clientMessageId: string | null;
  readonly segmentsPerRecipient: number;
  /** True if the request had the parameter `test`: answered like a send, without sending. */
  readonly test: boolean;
}

export interface SimulatedMessage extends ParsedMessage {
  readonly transferId: string;
  readonly operation: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly smsCount: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly statusCode: number;
}

export interface ReceivedMessage {
  readonly at: number;
  readonly channel: string;
  readonly sender: string;
  readonly content: string;
  readonly mediaId: string | null;
  readonly tapped: string | null;
}
