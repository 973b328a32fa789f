/** Bytes of a known length that can be read again for each attempt and are never all in memory. */
export interface ByteSource {
  readonly length: number;
  /** @throws TransferError (as a rejection) before a byte was given */
  open(): Promise<OpenSource>;
}

export interface OpenSource {
  /** Throws TransferError if the content has changed. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Closes the opened file; never rejects. */
  close(): Promise<void>;
}

/** Whether a body is a source; any other body is in memory. */
export const isSource = (body: unknown): body is ByteSource =>
  typeof body === "object" && body !== null && "open" in body;
