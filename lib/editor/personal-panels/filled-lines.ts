import { excerpt } from "../../shared/excerpt";
import { sharedTexts, type Texts } from "../dialog/texts";
import type { FilledText, NamedFault } from "../personal-text/filled-text";

const say: Texts = (key, values) => sharedTexts(`personal.${key}`, values);

const LONGEST = 600;

/**
 * The lines below a text with braces: what becomes of it, and each path that has no value in the sample.
 * @param replace writes another path instead of one
 */
export function filledLines(
  { text, faults }: FilledText,
  replace: (path: string, by: string) => void,
): readonly JQuery[] {
  const preview = $("<div>", { class: "messaging-filled" }).append(
    $("<b>").text(say("preview")),
    " ",
    $("<span>").text(excerpt(text, LONGEST)),
  );
  const line = ({ path, reason, meant }: NamedFault): JQuery => {
    const element = $("<div>", { class: "messaging-bad", role: "alert" }).append(
      $("<span>").text(say(`missing.${reason}`, { path })),
    );
    if (meant !== null) {
      $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" })
        .text(`${meant}?`)
        .attr("title", say("meant"))
        .on("click", () => replace(path, meant))
        .appendTo(element.append(" "));
    }
    return element;
  };
  return [preview, ...faults.map(line)];
}
