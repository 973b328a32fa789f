import type { ParsedRecipients, RecipientOptions } from "../../shared/recipients/recipients";

/** Reads recipients in slices as the runtime does. Rejects when aborted. */
export interface RecipientReader {
  read(text: string, options: RecipientOptions, signal: AbortSignal): Promise<ParsedRecipients>;
  /** Removes duplicates of earlier numbers. */
  unique(entries: readonly string[], options: RecipientOptions, signal: AbortSignal): Promise<string[]>;
}

/** Only the account's bundle contains the large numbering plans; the loading order does not matter. */
const KEY = Symbol.for("@messaging-service/node-red-messaging/recipient-reader");
const page = globalThis as { [KEY]?: RecipientReader };

export function shareRecipientReader(reader: RecipientReader): void {
  page[KEY] = reader;
}

/** Undefined if the code of the account was not loaded. */
export const recipientReader = (): RecipientReader | undefined => page[KEY];
