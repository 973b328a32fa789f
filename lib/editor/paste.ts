type TextInput = HTMLInputElement | HTMLTextAreaElement;

/** Longer texts are put in without a step to undo: the browser takes very long to make one of many lines. */
export const LONGEST_UNDOABLE = 20_000;

/** Replaces what is selected in an input, as if it were typed. */
function insert(input: TextInput, text: string): void {
  if (text.length > LONGEST_UNDOABLE || !document.execCommand("insertText", false, text)) {
    input.setRangeText(text, input.selectionStart ?? 0, input.selectionEnd ?? 0, "end");
    $(input).trigger("input");
  }
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
