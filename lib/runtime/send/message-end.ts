/** Node-RED's callback that completes a message, with or without an error. */
export interface Done {
  (error?: Error): void;
  /** Called instead where the error has been raised: whoever waits for the end of the message waits no longer. */
  readonly raised?: () => void;
}

/** The error of the message has already reached a Catch node or the log, so `done` is not called. */
export const RAISED = Symbol("raised");

/** The store has the message; `done` is called when its last result has left. */
export const KEPT = Symbol("kept");

/** How a message ends: with an error to raise, with none, with one that was raised before, or later. */
export type MessageEnd = Error | null | typeof RAISED | typeof KEPT;

export function complete(done: Done, end: MessageEnd): void {
  if (end === RAISED) {
    done.raised?.();
  } else if (end !== KEPT) {
    done(end ?? undefined);
  }
}
