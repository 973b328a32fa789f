export interface ByteSource {
  readonly length: number;
  /** @throws TransferError before the first byte */
  open(): Promise<OpenSource>;
}

export interface OpenSource {
  /** Throws TransferError if the content has changed. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** True if the body is a source and not in memory. */
export const isSource = (body: unknown): body is ByteSource =>
  typeof body === "object" && body !== null && "open" in body;
