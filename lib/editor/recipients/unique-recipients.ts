import { type RecipientOptions, RecipientParser } from "../../shared/recipients/recipients";

/** Entries between two looks at the clock, and milliseconds before the thread is handed back. */
const ENTRIES_PER_CLOCK = 32;
const SLICE = 16;

/**
 * Removes each entry whose number occurs earlier, in any spelling. The first one keeps its spelling, and entries that
 * are not numbers stay for the user to correct. `yieldNow` is as for `parseRecipientsInSlices`.
 */
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
