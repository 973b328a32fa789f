import { sharedTexts } from "./texts";

let labels = 0;

/** The id of the label that stands before an input; by id, for its text is filled in only after a dialog is prepared. */
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
 * Gives the inputs and buttons that Node-RED's widgets put into a form a name that screen readers can say: a
 * TypedInput shows an input of its own, which no label points to, and some of its buttons are icons alone.
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
