import type { Channel } from "./channel";

/** A request to the service with all secrets masked. */
export interface RecordedRequest {
  /** Sequence number within the account, from 1. */
  readonly id: number;
  /** Time of arrival, milliseconds since the epoch. */
  readonly at: number;
  /** Id of the endpoint; null if no endpoint has this path and method. */
  readonly operation: string | null;
  readonly method: string;
  /** Path and query below the address of the account. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * One character per byte (latin1). Empty for uploads, whose size and hash are in `fields`, and for refused
   * requests.
   */
  readonly rawBody: string;
  /** Decoded parameters; empty for refused requests. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** null if no answer was written, or not yet. */
  readonly httpStatus: number | null;
  /** Status code in the answer; null for none. */
  readonly statusCode: number | null;
  /** The fault that was applied; `id` names a rule, or is `faulty-recipient` for a faulty recipient. */
  readonly fault: { readonly id: string; readonly kind: string } | null;
}

/** A message that the service accepted, whatever it answered. */
export interface SimulatedMessage {
  /** 20 hexadecimal digits. */
  readonly transferId: string;
  readonly clientMessageId: string | null;
  readonly operation: string;
  readonly channel: Channel;
  /** As given in the request, with or without plus. */
  readonly recipients: readonly string[];
  /** The text; for a template the text with values, empty for RCS messages without text. */
  readonly content: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly segmentsPerRecipient: number;
  /** Segments of all recipients together. */
  readonly smsCount: number;
  /** True if the request had the parameter `test`. */
  readonly test: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Status code of the answer, also if the answer was not written. */
  readonly statusCode: number;
}

/** A message that a phone has sent. */
export interface ReceivedMessage {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `sms`, `whatsapp`, `rcs`, or the name of another messenger. */
  readonly channel: string;
  /** As in its event. */
  readonly sender: string;
  /** The text; of a tapped suggestion its text; empty for a binary SMS. */
  readonly content: string;
  /** Id of the file that came with it; null for none. */
  readonly mediaId: string | null;
  /** RCS message of which a suggestion was tapped; null for none. */
  readonly tapped: string | null;
}
