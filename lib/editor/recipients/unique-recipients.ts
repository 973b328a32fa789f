import { type RecipientOptions, RecipientParser } from "../../shared/recipients/recipients";

/** Entries between checks of the clock, and milliseconds between pauses. */
const ENTRIES_PER_CLOCK = 32;
const SLICE = 16;

/** Keeps the first spelling of each number, and entries that are no numbers. @param yieldNow as in `parseRecipientsInSlices` */
export async function uniqueRecipients(
  entries: readonly string[],
  options: RecipientOptions,
  yieldNow: () => PromiseLike<unknown>,
): Promise<string[]> {
  const parser = new RecipientParser(options);
  const kept: string[] = [];
  let start = performance.now();
  let at = 0;
  for (const entry of entries) {
    if (++at % ENTRIES_PER_CLOCK === 0 && performance.now() - start >= SLICE) {
      await yieldNow();
      start = performance.now();
    }
    const before = parser.duplicates;
    parser.add(entry);
    if (parser.duplicates === before) {
      kept.push(entry);
    }
  }
  return kept;
}
