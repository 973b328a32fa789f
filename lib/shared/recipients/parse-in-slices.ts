import { readEntries } from "./entry-reader";
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
  const slice = options.sliceMilliseconds ?? 4;
  let start = performance.now();
  for (const entry of readEntries(value)) {
    if (!parser.accepting) {
      break;
    }
    parser.add(entry.value, entry.position);
    if (performance.now() - start >= slice) {
      await yieldNow();
      start = performance.now();
    }
  }
  return parser.result();
}
