import type { LocalFault } from "../../contract/local-outcomes";

/** The headers of a successful answer that describe its bytes. */
export interface AnswerHead {
  readonly contentType: string | null;
  readonly contentDisposition: string | null;
}

/** Takes in the bytes of one answer at its own pace. */
export interface AnswerSink {
  /** Resolves when the next piece may come; the memory of this one is gone by then. @throws TransferError */
  write(piece: Uint8Array): Promise<void>;
  /** All pieces were written. After a failure nothing is left behind. @throws TransferError */
  finish(): Promise<void>;
  /** The answer will not become whole: nothing of it may be left. Never rejects. */
  discard(): Promise<void>;
}

/** Bytes moved so far, and of how many; null where the total is unknown. Starts at 0 with each attempt. */
export type Progress = (done: number, total: number | null) => void;

/** What a request needs besides when it moves a file. */
export interface Transfer {
  /** Bytes of a file in an answer at most. */
  readonly limit?: number;
  /** Takes in the file of a successful answer, made anew for each attempt; without it, it is kept in memory. */
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
