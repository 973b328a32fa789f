/** Node-RED's callback that completes a message, with or without an error. */
export type Done = (error?: Error) => void;

/** The error of the message has already reached a Catch node or the log, so `done` is not called. */
export const RAISED = Symbol("raised");

/** How a message ends: with an error to raise, with none, or with one that was raised before. */
export type MessageEnd = Error | null | typeof RAISED;

/** Completes a message. */
export function complete(done: Done, end: MessageEnd): void {
  if (end !== RAISED) {
    done(end ?? undefined);
  }
}
