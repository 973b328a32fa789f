import { sourceProperty } from "../../shared/fields/field-spec";
import { currentValue, type Dialog, heldText } from "../dialog/dialog";
import { iconButton } from "../dialog/icon-button";
import { sharedTexts } from "../dialog/texts";
import { nationalNumber } from "./national-number";
import { countryOf } from "./recipient-verdict";

/** Warns that the account needs a default country. */
export interface CountryHint {
  readonly element: JQuery;
  readonly show: (number: string | null) => void;
}

export function countryHint({ node }: Pick<Dialog, "node">): CountryHint {
  const id = (): string => String(currentValue(node, "account"));
  const words = $("<span>");
  const button = iconButton("pencil", sharedTexts("recipients.noCountry.open")).on("click", () => {
    RED.editor.editConfig("account", "messaging-account", id(), "node-input");
  });
  const element = $("<div>", {
    class: "messaging-hint messaging-warning messaging-no-country",
    role: "status",
  })
    .append(
      $("<i>", { class: "fa fa-exclamation-triangle", "aria-hidden": "true" }),
      " ",
      words,
      $("<div>").append(button),
    )
    .hide();
  return {
    element,
    show(number) {
      const shown = number !== null && countryOf(RED.nodes.node(id())) === "";
      element.toggle(shown);
      words.text(shown ? sharedTexts("recipients.noCountry.hint", { number }) : "");
    },
  };
}

/** Call after the input is built. */
export function watchNumber(dialog: Dialog, name: string): void {
  const { node, input, watch } = dialog;
  const { element, show } = countryHint(dialog);
  input(name).closest(".form-row").append(element);
  watch(() => {
    const isTyped = currentValue(node, sourceProperty(name)) === "str";
    show(isTyped ? nationalNumber(heldText(dialog, name)) : null);
  });
}
