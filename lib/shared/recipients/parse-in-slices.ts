import { END, EntryReader } from "./entry-reader";
import { type ParsedRecipients, type RecipientOptions, RecipientParser } from "./recipients";

export interface SliceOptions extends RecipientOptions {
  /** How long to work before yielding. */
  readonly sliceMilliseconds?: number | undefined;
}

/**
 * As `parseRecipients`, but hands the thread back every few milliseconds. `yieldNow` must settle in a
 * later turn of the event loop (in Node.js, a promise of `setImmediate`); where it rejects, the reading ends with that.
 * A list must not be changed before the promise settles.
 */
export async function parseRecipientsInSlices(
  value: unknown,
  options: SliceOptions,
  yieldNow: () => PromiseLike<unknown>,
): Promise<ParsedRecipients> {
  const parser = new RecipientParser(options);
  const entries = new EntryReader(value);
  const slice = options.sliceMilliseconds ?? 8;
  let start = performance.now();
  while (addSome(entries, parser)) {
    if (performance.now() - start >= slice) {
      await yieldNow();
      start = performance.now();
    }
  }
  return parser.result();
}

/** Few enough that even numbers which need a numbering plan stay within a millisecond or two. */
const ENTRIES_PER_CLOCK = 32;

/** False when the list is at its end. */
function addSome(entries: EntryReader, parser: RecipientParser): boolean {
  for (let count = 0; count < ENTRIES_PER_CLOCK; count++) {
    const entry = entries.next();
    if (entry === END || !parser.accepting) {
      return false;
    }
    parser.add(entry, entries.position);
  }
  return true;
}
