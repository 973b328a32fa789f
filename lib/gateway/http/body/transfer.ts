import type { LocalFault } from "../../contract/local-outcomes";

/** The headers of a successful answer that describe its bytes. */
export interface AnswerHead {
  readonly contentType: string | null;
  readonly contentDisposition: string | null;
}

/** Receives the bytes of one answer, with backpressure. */
export interface AnswerSink {
  /** Resolves when the next piece may come. @throws TransferError */
  write(piece: Uint8Array): Promise<void>;
  /** All pieces were written. After a failure nothing is left behind. @throws TransferError */
  finish(): Promise<void>;
  /** Removes the partial file of an incomplete answer. Never rejects. */
  discard(): Promise<void>;
}

/** Bytes moved so far, and of how many; null where the total is unknown. Starts at 0 with each attempt. */
export type Progress = (done: number, total: number | null) => void;

/** Options of a request that transfers a file. */
export interface Transfer {
  /** Maximum bytes of a file in an answer. */
  readonly limit?: number;
  /** Creates the sink for the file of a successful answer, for each attempt again; without it, the file is kept in memory. */
  readonly sink?: (head: AnswerHead) => Promise<AnswerSink>;
  readonly progress?: Progress;
}

/** A fault of a file or disk on this side. The text says what is wrong, without a secret. */
export class TransferError extends Error {
  constructor(
    readonly fault: LocalFault,
    detail: string,
  ) {
    super(detail);
  }
}

/** The fault that an error of a source or a sink stands for. */
export const transferFault = (error: unknown): { readonly fault: LocalFault; readonly detail: string } =>
  error instanceof TransferError
    ? { fault: error.fault, detail: error.message }
    : { fault: "INTERNAL_FAULT", detail: String(error) };
