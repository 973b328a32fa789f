import { parseRecipientsInSlices } from "../../shared/recipients/parse-in-slices";
import { uniqueRecipients } from "./unique-recipients";
import { shareRecipientReader } from "./recipient-reader";

/** Milliseconds of work between two pauses: about one frame, so the page stays responsive. */
const SLICE = 16;

/** Pauses between slices, in which the page draws and handles input. */
const pauses = (signal: AbortSignal) => async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
};

/** Provides all dialogs with the parser and its numbering plans. Called by the account node, which all others need. */
export function provideRecipientReader(): void {
  shareRecipientReader({
    read: (text, options, signal) =>
      parseRecipientsInSlices(text, { ...options, sliceMilliseconds: SLICE }, pauses(signal)),
    unique: (entries, options, signal) => uniqueRecipients(entries, options, pauses(signal)),
  });
}
