/** Characters of a text of the service; ids and statuses are far shorter. */
const LONGEST = 256;

/**
 * A field of an event as every database takes it: without the NUL character and halves of characters.
 * @returns null for anything that is no text, and for a blank text
 */
export function eventText(value: unknown): string | null {
  if (typeof value !== "string") {
    return null;
  }
  const text = Buffer.from(value.slice(0, LONGEST)).toString().replaceAll("\0", "").trim();
  return text === "" ? null : text;
}
