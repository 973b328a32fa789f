import { excerpt } from "../../shared/excerpt";
import { iconButton } from "../dialog/icon-button";
import { sharedTexts, type Texts } from "../dialog/texts";
import type { Sample } from "../personal-text/sample";
import { sampleValues } from "../personal-text/sample-values";

const say: Texts = (key, values) => sharedTexts(`personal.${key}`, values);

const LONGEST_EXAMPLE = 50;

interface ValueListOptions {
  readonly sample: () => Sample | null;
  /** Takes the path of the chosen value. */
  readonly chosen: (path: string) => void;
  /** Moves the focus to the input of the sample. */
  readonly focusSample: () => void;
}

/** A button that unfolds the values of the sample, each with an example; a click on one hands over its path. */
export function valueList({ sample, chosen, focusSample }: ValueListOptions): JQuery {
  const button = iconButton("plus", say("insert"))
    .addClass("messaging-insert")
    .attr("aria-expanded", "false");
  const list = $("<ul>", { class: "messaging-values" }).hide();
  const fold = (open: boolean): void => {
    list.toggle(open);
    button.attr("aria-expanded", String(open));
  };
  const fill = (): void => {
    list.empty();
    const known = sample();
    const values = known === null ? [] : sampleValues(known);
    for (const { path, example } of values) {
      $("<button>", { type: "button" })
        .append($("<code>").text(path), " ", $("<span>").text(excerpt(example, LONGEST_EXAMPLE)))
        .on("click", () => {
          fold(false);
          chosen(path);
        })
        .appendTo($("<li>").appendTo(list));
    }
    if (values.length === 0) {
      const open = $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" })
        .text(say("pasteRow"))
        .on("click", () => {
          fold(false);
          focusSample();
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
