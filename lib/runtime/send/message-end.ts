import type { NodeMessage } from "node-red";
import type { CancelRequest } from "./read-cancel";

export interface Send {
  (messages: (NodeMessage | null)[]): void;
  /** Index in the list, from 0, of a row. */
  readonly row?: number;
  /** Name of the row's recipient or null; absent if the message is no row. */
  readonly person?: string | null;
  /** Cancel messages that arrived before the row started. */
  readonly cancels?: readonly CancelRequest[];
}

export interface Done {
  (error?: Error): void;
  /** Called instead if the error has already been raised. */
  readonly raised?: () => void;
}

/** The error has already reached a Catch node or the log, so `done` is not called. */
export const RAISED = Symbol("raised");

/** The message is stored; `done` is called when its last result is emitted. */
export const KEPT = Symbol("kept");

export type MessageEnd = Error | null | typeof RAISED | typeof KEPT;

export function complete(done: Done, end: MessageEnd): void {
  if (end === RAISED) {
    done.raised?.();
  } else if (end !== KEPT) {
    done(end ?? undefined);
  }
}
