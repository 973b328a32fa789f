import { sharedTexts } from "./texts";

/** The text of the label that stands before an input. */
const labelOf = (element: HTMLElement): string =>
  $(element).closest(".form-row").children("label").first().text().trim();

/**
 * Gives the inputs and buttons that Node-RED's widgets put into a form a name that screen readers can say: a
 * TypedInput shows an input of its own, which no label points to, and some of its buttons are icons alone.
 */
export function nameInputs(form: JQuery): void {
  form.find(".red-ui-typedInput-input").each((_at, element) => {
    const label = labelOf(element);
    if (label !== "" && !element.hasAttribute("aria-label")) {
      element.setAttribute("aria-label", label);
    }
  });
  form.find(".red-ui-typedInput-option-expand").attr("aria-label", sharedTexts("expand"));
  form.find(".red-ui-editableList-item-remove").attr("aria-label", sharedTexts("list.remove"));
}
