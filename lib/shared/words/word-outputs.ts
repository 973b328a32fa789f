import { isVariable } from "../variable-name";
import { readWords } from "./read-words";

/** The settings of a message-wait node that say which replies have an output of their own. */
export interface WordOutputSettings {
  readonly kind: unknown;
  readonly match: unknown;
  readonly words: unknown;
  readonly perWord: unknown;
}

/**
 * The words of a message-wait node that have an output each, in the order of the outputs; none where all that count leave by one. Words in a
 * variable are not known to the editor, so they have one output.
 */
export function wordOutputs({ kind, match, words, perWord }: WordOutputSettings): readonly string[] {
  const typed = String(words ?? "");
  if (perWord !== true || kind !== "reply" || (match !== "words" && match !== "start") || isVariable(typed)) {
    return [];
  }
  const read = readWords(typed);
  return read.ok ? [...read.entries.values()] : [];
}
