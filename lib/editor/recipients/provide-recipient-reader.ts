import { parseRecipientsInSlices } from "../../shared/recipients/parse-in-slices";
import { uniqueRecipients } from "./unique-recipients";
import { shareRecipientReader } from "./recipient-reader";

/** Milliseconds of work between pauses: about one frame, so the page stays responsive. */
const SLICE = 16;

const pauses = (signal: AbortSignal) => async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
};

/** Called by the account node, which all other nodes need. */
export function provideRecipientReader(): void {
  shareRecipientReader({
    read: (text, options, signal) =>
      parseRecipientsInSlices(text, { ...options, sliceMilliseconds: SLICE }, pauses(signal)),
    unique: (entries, options, signal) => uniqueRecipients(entries, options, pauses(signal)),
  });
}
