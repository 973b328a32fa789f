import { readEntries } from "./entry-reader";
import { type ParsedRecipients, type RecipientOptions, RecipientParser } from "./recipients";

export interface SliceOptions extends RecipientOptions {
  readonly sliceMilliseconds?: number | undefined;
}

/** Pauses with `yieldNow`, which must settle in a later tick. The list must not change. */
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
