import { parseRecipientsInSlices } from "../shared/recipients";
import { uniqueRecipients } from "../shared/unique-recipients";
import { shareRecipientReader } from "./recipient-reader";

/** Lets the page draw and take keys in between. */
const pauses = (signal: AbortSignal) => async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
};

/** Gives all dialogs the parser and its numbering plans; for the account node, which every other one needs. */
export function provideRecipientReader(): void {
  shareRecipientReader({
    read: (text, options, signal) => parseRecipientsInSlices(text, options, pauses(signal)),
    unique: (entries, options, signal) => uniqueRecipients(entries, options, pauses(signal)),
  });
}
