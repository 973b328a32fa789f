import { countCharacters } from "../../../lib/shared/characters";
import type { ListEntry } from "../../../lib/shared/fields/field-spec";

/** `open` means that the text is known only at run time. */
export type PreviewEntry = ListEntry & { readonly open?: boolean };

/** `n` is the number of its placeholder, counted from 1. */
export type PreviewPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "value"; readonly text: string; readonly n: number }
  | { readonly type: "open"; readonly entry: PreviewEntry; readonly n: number }
  | { readonly type: "missing"; readonly n: number };

export interface TemplatePreview {
  readonly parts: readonly PreviewPart[];
  readonly missing: readonly number[];
  readonly unused: readonly number[];
  /** A minimum while not all values are known. */
  readonly count: number;
  readonly exact: boolean;
}

const PLACEHOLDER = /\{\{\s*([1-9]\d{0,3})\s*\}\}/g;

export const numbersOf = (text: string): readonly number[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, digits]) => Number(digits));

/** @param entries null if the message contains all values */
export function previewTemplate(text: string, entries: readonly PreviewEntry[] | null): TemplatePreview {
  const parts: PreviewPart[] = [];
  const used = new Set<number>();
  const missing = new Set<number>();
  let from = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > from) {
      parts.push({ type: "text", text: text.slice(from, match.index) });
    }
    from = match.index + match[0].length;
    const n = Number(match[1]);
    used.add(n);
    const entry = entries?.[n - 1];
    if (entries === null) {
      parts.push({ type: "open", entry: { source: "list", value: "" }, n });
    } else if (entry === undefined || (entry.source === "str" && entry.value === "")) {
      missing.add(n);
      parts.push({ type: "missing", n });
    } else {
      parts.push(
        entry.source === "str" && !entry.open
          ? { type: "value", text: entry.value, n }
          : { type: "open", entry, n },
      );
    }
  }
  if (from < text.length) {
    parts.push({ type: "text", text: text.slice(from) });
  }
  const known = parts.map((part) => ("text" in part ? part.text : "")).join("");
  return {
    parts,
    missing: [...missing].sort((a, b) => a - b),
    unused: (entries ?? []).map((_entry, at) => at + 1).filter((n) => !used.has(n)),
    count: countCharacters(known),
    exact: parts.every(({ type }) => type === "text" || type === "value"),
  };
}
