import type { ParsedRecipients, RecipientOptions } from "../../shared/recipients/recipients";

/** Reads recipients in the browser as the runtime does, in slices. Rejects when aborted. */
export interface RecipientReader {
  read(text: string, options: RecipientOptions, signal: AbortSignal): Promise<ParsedRecipients>;
  /** The entries without duplicates of earlier numbers. */
  unique(entries: readonly string[], options: RecipientOptions, signal: AbortSignal): Promise<string[]>;
}

/**
 * Numbering plans are large, and each dialog is a separate bundle. Only the bundle of the account contains them and
 * shares them with the others; the order of loading does not matter.
 */
const KEY = Symbol.for("@messaging-service/node-red-messaging/recipient-reader");
const page = globalThis as { [KEY]?: RecipientReader };

export function shareRecipientReader(reader: RecipientReader): void {
  page[KEY] = reader;
}

/** Undefined if the code of the account was not loaded. */
export const recipientReader = (): RecipientReader | undefined => page[KEY];
