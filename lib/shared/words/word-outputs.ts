import { isVariable } from "../variable-name";
import { readWords } from "./read-words";

export interface WordOutputSettings {
  readonly kind: unknown;
  readonly match: unknown;
  readonly words: unknown;
  readonly perWord: unknown;
}

/** Words in a variable are unknown, so they have one output. */
export function wordOutputs({ kind, match, words, perWord }: WordOutputSettings): readonly string[] {
  const typed = String(words ?? "");
  if (perWord !== true || kind !== "reply" || (match !== "words" && match !== "start") || isVariable(typed)) {
    return [];
  }
  const read = readWords(typed);
  return read.ok ? [...read.entries.values()] : [];
}
