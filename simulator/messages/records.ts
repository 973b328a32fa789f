import { sizeOfValue } from "../util/size-of-value";
import type { Channel } from "./channel";

/** A request to the service, with every secret masked. */
export interface RecordedRequest {
  /** Counts up from 1 within the account. */
  readonly id: number;
  /** Arrival, milliseconds since the epoch. */
  readonly at: number;
  /** Id of the endpoint; null when path and method fit none. */
  readonly operation: string | null;
  readonly method: string;
  /** Path and query below the account's address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * One character per byte (latin1). Empty for uploads, whose size and hash are in `fields`, and for requests that
   * the checks refuse.
   */
  readonly rawBody: string;
  /** Parameters as they were understood; empty for requests that the checks refuse. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** null while, or because, no answer was written. */
  readonly httpStatus: number | null;
  /** Code in the answer; null where there was none. */
  readonly statusCode: number | null;
  /** The fault that decided the answer, `id` of a rule or `magic`. */
  readonly fault: { readonly id: string; readonly kind: string } | null;
}

/** A message that the service took, whatever it answered. */
export interface SimulatedMessage {
  /** 20 hexadecimal digits. */
  readonly transferId: string;
  readonly clientMessageId: string | null;
  readonly operation: string;
  readonly channel: Channel;
  /** As they were sent, with or without the plus. */
  readonly recipients: readonly string[];
  /** The text; of a template what its recipient reads, of RCS without a text message nothing. */
  readonly content: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly segmentsPerRecipient: number;
  /** Segments of all recipients together. */
  readonly smsCount: number;
  /** True: the request asked for a simulation only. */
  readonly test: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Code that was, or would have been, answered. */
  readonly statusCode: number;
}

/** Approximate bytes in memory, for the bounded log. */
export function sizeOfRequest({ path, rawBody, fields, headers }: RecordedRequest): number {
  return 1000 + path.length + rawBody.length + sizeOfValue(fields) + sizeOfValue(headers);
}

/** Approximate bytes in memory, for the bounded log. */
export function sizeOfMessage({ fields, content }: SimulatedMessage): number {
  return 500 + sizeOfValue(content) + sizeOfValue(fields);
}
