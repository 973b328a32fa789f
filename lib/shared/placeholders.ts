import { countCharacters } from "./characters";
import { LIMITS } from "./fields/limits";

export type PlaceholderFault =
  | { readonly rule: "empty" }
  | { readonly rule: "line-break" }
  | { readonly rule: "too-long"; readonly count: number };

/** An empty value would leave a gap in the text (docs/service.md, Fields and limits). */
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

/** Returns the characters of all placeholders if too many for any template. */
export function findExcess(texts: readonly string[]): number | null {
  const count = texts.reduce((sum, text) => sum + countCharacters(text), 0);
  return count > LIMITS.templateContent ? count : null;
}
