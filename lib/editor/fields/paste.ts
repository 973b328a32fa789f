import type { TextInput } from "./shown-value";

/** Characters. Longer texts have no undo step, which takes browsers too long. */
export const LONGEST_UNDOABLE = 20_000;

/** Replaces the selection as if the user typed the text. The input must have the focus. */
export function insertText(input: TextInput, text: string): void {
  if (input.readOnly) {
    // The input shows only a part, so the text replaces everything.
    input.value = text;
  } else if (text.length > LONGEST_UNDOABLE || !document.execCommand("insertText", false, text)) {
    const { value, selectionStart, selectionEnd } = input;
    input.value = value.slice(0, selectionStart ?? 0) + text + value.slice(selectionEnd ?? value.length);
  }
  // A TypedInput reads its input on keyup, which a paste by menu does not cause.
  $(input).trigger("input").trigger("change");
}

/** Converts pasted text; `convert` returns null for text that needs no conversion. */
export function convertPasted(input: JQuery, convert: (text: string) => string | null): void {
  input.on("paste", (event) => {
    const { clipboardData } = event.originalEvent as ClipboardEvent;
    const text = convert(clipboardData?.getData("text/plain") ?? "");
    if (text !== null) {
      event.preventDefault();
      insertText(input[0] as TextInput, text);
    }
  });
}
