/** A JSON object, or the name of a field that occurs twice in it. */
export type ParsedJson =
  | { readonly fields: Readonly<Record<string, unknown>>; readonly repeated: null }
  | { readonly fields: null; readonly repeated: string | null };

/** The fields that decide the outcome. */
const DECIDING: readonly string[] = ["statusCode", "transferId"];

const UNREADABLE: ParsedJson = { fields: null, repeated: null };

/** Texts, and what begins or ends a field. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

/** A deciding name that the object itself holds twice, not one within it. @param text one valid JSON object */
function findRepeated(text: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  let isName = false;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "}" || token === "]") {
      depth--;
    } else if (!token.startsWith('"')) {
      depth += token === "," ? 0 : 1;
      isName = depth === 1;
    } else if (isName) {
      isName = false;
      const name = JSON.parse(token) as string;
      if (seen.has(name)) {
        return name;
      }
      if (DECIDING.includes(name)) {
        seen.add(name);
      }
    }
  }
  return null;
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
  const repeated = findRepeated(text);
  return repeated === null
    ? { fields: value as Record<string, unknown>, repeated }
    : { fields: null, repeated };
}
