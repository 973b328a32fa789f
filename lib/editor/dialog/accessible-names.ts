import { sharedTexts } from "./texts";

let labels = 0;

/** The id of the label of an input. By id, because the editor fills in its text after a dialog is prepared. */
function labelOf(element: HTMLElement): string | null {
  const label = $(element).closest(".form-row").children("label").first();
  if (label.length === 0) {
    return null;
  }
  if (!label.attr("id")) {
    label.attr("id", `messaging-label-${++labels}`);
  }
  return String(label.attr("id"));
}

/**
 * Gives accessible names to the inputs and buttons of Node-RED's widgets. A TypedInput creates an input without a
 * label, and some of its buttons have only an icon.
 */
export function nameInputs(form: JQuery): void {
  form.find(".red-ui-typedInput-input").each((_at, element) => {
    const label = labelOf(element);
    if (label !== null) {
      element.setAttribute("aria-labelledby", label);
    }
  });
  form.find(".red-ui-typedInput-option-expand").attr("aria-label", sharedTexts("expand"));
  form.find(".red-ui-editableList-item-remove").attr("aria-label", sharedTexts("list.remove"));
}
