import { sharedTexts } from "./texts";

let labels = 0;

/** By id, because the editor fills in the label's text after a dialog is prepared. */
function getLabelId(element: HTMLElement): string | null {
  const label = $(element).closest(".form-row").children("label").first();
  if (label.length === 0) {
    return null;
  }
  if (!label.attr("id")) {
    label.attr("id", `messaging-label-${++labels}`);
  }
  return String(label.attr("id"));
}

/** Names widgets of Node-RED: a TypedInput has an input without a label and buttons with only an icon. */
export function nameInputs(form: JQuery): void {
  form.find(".red-ui-typedInput-input").each((_at, element) => {
    const label = getLabelId(element);
    if (label !== null) {
      element.setAttribute("aria-labelledby", label);
    }
  });
  form.find(".red-ui-typedInput-option-expand").attr("aria-label", sharedTexts("expand"));
  form.find(".red-ui-editableList-item-remove").attr("aria-label", sharedTexts("list.remove"));
}
