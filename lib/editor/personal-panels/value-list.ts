import { excerpt } from "../../shared/excerpt";
import { iconButton } from "../dialog/icon-button";
import { sharedTexts, type Texts } from "../dialog/texts";
import type { Sample } from "../personal-text/sample";
import { sampleValues } from "../personal-text/sample-values";

const say: Texts = (key, values) => sharedTexts(`personal.${key}`, values);

const LONGEST_EXAMPLE = 50;

/** Tells the lists of a form that there is another sample. */
export const notifyOfSample = (form: JQuery): void => void form.find(".messaging-values").trigger(SAMPLE);
const SAMPLE = "messaging-sample";

interface ValueListOptions {
  readonly sample: () => Sample | null;
  /** Takes the path of the chosen value. */
  readonly chosen: (path: string) => void;
  /** Lets somebody paste a row, where there is no sample. */
  readonly paste: () => void;
}

/** A button that unfolds the values of the sample, each with an example; a click on one hands over its path. */
export function valueList({ sample, chosen, paste }: ValueListOptions): JQuery {
  const button = iconButton("plus", say("insert"))
    .addClass("messaging-insert")
    .attr("aria-expanded", "false");
  const list = $("<ul>", { class: "messaging-values" }).hide();
  const fold = (open: boolean): void => {
    list.toggle(open);
    button.attr("aria-expanded", String(open));
  };
  let hasValues = false;
  const fill = (): void => {
    list.empty();
    const known = sample();
    const values = known === null ? [] : sampleValues(known);
    hasValues = values.length > 0;
    for (const { path, example } of values) {
      $("<button>", { type: "button" })
        .append($("<code>").text(path), " ", $("<span>").text(excerpt(example, LONGEST_EXAMPLE)))
        .on("click", () => {
          fold(false);
          chosen(path);
        })
        .appendTo($("<li>").appendTo(list));
    }
    if (!hasValues) {
      const open = $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" })
        .text(say("pasteRow"))
        .on("click", () => {
          fold(false);
          paste();
        });
      $("<li>", { class: "messaging-values-none" })
        .append($("<span>").text(say(known === null ? "none" : "noValues")), " ", open)
        .appendTo(list);
    }
  };
  button.on("click", () => {
    const open = button.attr("aria-expanded") !== "true";
    if (open) {
      fill();
    }
    fold(open);
    if (open) {
      list.find("button").first().trigger("focus");
    }
  });
  list.on(SAMPLE, () => {
    // It was unfolded before the runtime had said what the last message is.
    if (!hasValues && button.attr("aria-expanded") === "true") {
      const hadFocus = list[0]?.contains(document.activeElement) === true;
      fill();
      if (hadFocus) {
        list.find("button").first().trigger("focus");
      }
    }
  });
  list.on("keydown", (event) => {
    if (event.key === "Escape") {
      // The editor would close the dialog.
      event.preventDefault();
      event.stopPropagation();
      fold(false);
      button.trigger("focus");
    }
  });
  return $("<div>").append(button, list);
}
