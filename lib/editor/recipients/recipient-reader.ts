import type { ParsedRecipients, RecipientOptions } from "../../shared/recipients/recipients";

/** Reads recipients in the browser as the runtime does, a slice at a time. What is aborted rejects. */
export interface RecipientReader {
  read(text: string, options: RecipientOptions, signal: AbortSignal): Promise<ParsedRecipients>;
  /** The entries without those whose number stood before. */
  unique(entries: readonly string[], options: RecipientOptions, signal: AbortSignal): Promise<string[]>;
}

/**
 * Numbering plans are large and each dialog is a bundle of its own, so only that of the account has them and hands
 * them to the others, in whatever order the editor loads them.
 */
const KEY = Symbol.for("@messaging-service/node-red-messaging/recipient-reader");
const page = globalThis as { [KEY]?: RecipientReader };

export function shareRecipientReader(reader: RecipientReader): void {
  page[KEY] = reader;
}

/** Undefined where the account's code was not loaded. */
export const recipientReader = (): RecipientReader | undefined => page[KEY];
