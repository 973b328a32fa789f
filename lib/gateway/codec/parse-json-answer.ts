/** A JSON object, or the name of a field that occurs twice in it. */
export type ParsedJson =
  | { readonly fields: Readonly<Record<string, unknown>>; readonly repeated: null }
  | { readonly fields: null; readonly repeated: string | null };

/** The fields that decide the outcome. */
const DECIDING = ["statusCode", "transferId"] as const;
const QUOTED = DECIDING.map((name) => `"${name}"`);

const UNREADABLE: ParsedJson = { fields: null, repeated: null };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** @returns the place of the quote that ends the string which begins at `from` */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}

/** A deciding name that the object itself holds twice, not one within it. @param text one valid JSON object */
function findRepeated(text: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN:
      case OPEN_LIST:
        depth++;
        isName = depth === 1;
        break;
      case CLOSE:
      case CLOSE_LIST:
        depth--;
        break;
      case COMMA:
        isName = depth === 1;
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        if (isName) {
          isName = false;
          const name = JSON.parse(text.slice(at, end + 1)) as string;
          if (seen.has(name)) {
            return name;
          }
          if ((DECIDING as readonly string[]).includes(name)) {
            seen.add(name);
          }
        }
        at = end;
        break;
      }
    }
  }
  return null;
}

/** Without a look at each character: a name that stands there twice does so twice as text, or with an escape. */
function mayRepeat(text: string): boolean {
  if (text.includes("\\")) {
    return true;
  }
  for (const name of QUOTED) {
    const first = text.indexOf(name);
    if (first >= 0 && text.indexOf(name, first + name.length) >= 0) {
      return true;
    }
  }
  return false;
}

/**
 * Reads an answer that is a JSON object. `JSON.parse` keeps only the last of two fields with the same name, which hides a
 * contradiction. So an answer in which statusCode or transferId occurs twice, even with equal values, is not read. Never throws.
 */
export function parseJsonAnswer(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return UNREADABLE;
  }
  const repeated = mayRepeat(text) ? findRepeated(text) : null;
  return repeated === null
    ? { fields: value as Record<string, unknown>, repeated }
    : { fields: null, repeated };
}
