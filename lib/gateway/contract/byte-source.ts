/** Bytes of known number that can be read anew for each attempt, without being in memory together. */
export interface ByteSource {
  readonly length: number;
  /** @throws TransferError (as a rejection) before a byte was given */
  open(): Promise<OpenSource>;
}

export interface OpenSource {
  /** Throws TransferError when what is read is no longer what was promised. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Frees what was opened; never rejects. */
  close(): Promise<void>;
}

/** Tells a source from a body that is in memory as a whole. */
export const isSource = (body: unknown): body is ByteSource =>
  typeof body === "object" && body !== null && "open" in body;
