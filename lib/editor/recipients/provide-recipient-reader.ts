import { parseRecipientsInSlices } from "../../shared/recipients/recipients";
import { uniqueRecipients } from "./unique-recipients";
import { shareRecipientReader } from "./recipient-reader";

/** Milliseconds of work in one go: about as long as a browser makes a pause at least, and too short to be felt. */
const SLICE = 16;

/** Lets the page draw and take keys in between. */
const pauses = (signal: AbortSignal) => async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
};

/** Gives all dialogs the parser and its numbering plans; for the account node, which every other one needs. */
export function provideRecipientReader(): void {
  shareRecipientReader({
    read: (text, options, signal) =>
      parseRecipientsInSlices(text, { ...options, sliceMilliseconds: SLICE }, pauses(signal)),
    unique: (entries, options, signal) => uniqueRecipients(entries, options, pauses(signal)),
  });
}
