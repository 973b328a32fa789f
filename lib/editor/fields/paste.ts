import type { TextInput } from "./shown-value";

/** Longer texts are put in without a step to undo: the browser takes very long to make one of many lines. */
export const LONGEST_UNDOABLE = 20_000;

/** Replaces what is selected in an input, as if it were typed. */
function insert(input: TextInput, text: string): void {
  if (input.readOnly) {
    // Shown only in part, so there is nothing to be put in between.
    input.value = text;
  } else if (text.length > LONGEST_UNDOABLE || !document.execCommand("insertText", false, text)) {
    const { value, selectionStart, selectionEnd } = input;
    input.value = value.slice(0, selectionStart ?? 0) + text + value.slice(selectionEnd ?? value.length);
  }
  // A TypedInput takes over what was typed when a key is let go, and a menu can paste, too.
  $(input).trigger("input").trigger("change");
}

/** Lets pasted text come in as something else; `convert` gives null for what can go in as it is. */
export function convertPasted(input: JQuery, convert: (text: string) => string | null): void {
  input.on("paste", (event) => {
    const { clipboardData } = event.originalEvent as ClipboardEvent;
    const text = convert(clipboardData?.getData("text/plain") ?? "");
    if (text !== null) {
      event.preventDefault();
      insert(input[0] as TextInput, text);
    }
  });
}
