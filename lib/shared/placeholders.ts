import { countCharacters } from "./characters";
import { LIMITS } from "./fields/limits";

/** What one placeholder's text can break by itself. `count` is its length. */
export type PlaceholderFault =
  | { readonly rule: "empty" }
  | { readonly rule: "line-break" }
  | { readonly rule: "too-long"; readonly count: number };

/** docs/service.md, Fields and limits. An empty value would leave a gap in the text. */
export function findPlaceholderFault(text: string): PlaceholderFault | null {
  if (text === "") {
    return { rule: "empty" };
  }
  if (/[\n\r]/.test(text)) {
    return { rule: "line-break" };
  }
  const count = countCharacters(text);
  return count > LIMITS.placeholderValue ? { rule: "too-long", count } : null;
}

/**
 * Characters of all placeholders together where that is too many for any template, else null. The template's own
 * text is not known here, so this finds only what is surely over.
 */
export function findExcess(texts: readonly string[]): number | null {
  const count = texts.reduce((sum, text) => sum + countCharacters(text), 0);
  return count > LIMITS.templateContent ? count : null;
}
