import type { LocalFault } from "../../contract/local-outcomes";

export interface ResponseHead {
  readonly contentType: string | null;
  readonly contentDisposition: string | null;
}

export interface ResponseSink {
  /** Resolves when the sink accepts the next piece. @throws TransferError */
  write(piece: Uint8Array): Promise<void>;
  /** Leaves nothing behind after a failure. @throws TransferError */
  finish(): Promise<void>;
  /** Never rejects. */
  discard(): Promise<void>;
}

/** In bytes. `done` restarts at 0 with each attempt. */
export type Progress = (done: number, total: number | null) => void;

export interface Transfer {
  readonly limit?: number;
  /** Creates a sink for each attempt. Without it, the file stays in memory. */
  readonly sink?: (head: ResponseHead) => Promise<ResponseSink>;
  readonly progress?: Progress;
}

/** The message contains no secret. */
export class TransferError extends Error {
  constructor(
    readonly fault: LocalFault,
    detail: string,
  ) {
    super(detail);
  }
}

export const transferFault = (error: unknown): { readonly fault: LocalFault; readonly detail: string } =>
  error instanceof TransferError
    ? { fault: error.fault, detail: error.message }
    : { fault: "INTERNAL_FAULT", detail: String(error) };
