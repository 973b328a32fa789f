export type ParsedJson =
  | { readonly fields: Readonly<Record<string, unknown>>; readonly repeated: null }
  | { readonly fields: null; readonly repeated: string | null };

const DECIDING: readonly string[] = ["statusCode", "transferId"];

const UNREADABLE: ParsedJson = { fields: null, repeated: null };

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

/** Finds a deciding field that the top level of one valid JSON object repeats. */
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

/** Refuses a repeated statusCode or transferId, of which `JSON.parse` would hide the first. */
export function parseJsonResponse(text: string): ParsedJson {
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
