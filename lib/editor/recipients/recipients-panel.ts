import type { RecipientVerdict } from "./recipient-verdict";
import { iconButton } from "../dialog/icon-button";
import { sharedTexts, type Texts } from "../dialog/texts";

const say: Texts = (key, values) => sharedTexts(`recipients.${key}`, values);

/** The elements below a field of recipients, without event handlers. */
export function recipientsPanel() {
  const column = $("<textarea>", {
    class: "messaging-column",
    rows: 8,
    wrap: "off",
    spellcheck: false,
    placeholder: say("placeholder"),
    "aria-label": say("column"),
  });
  const part = $("<div>").text(say("part"));
  const counts = $("<span>");
  const paste = iconButton("table", "");
  const unique = iconButton("compress", say("unique"));
  const clear = iconButton("eraser", say("clear"));
  const examples = $("<ul>");
  const panel = $("<div>", { class: "messaging-hint messaging-recipients" }).append(
    column,
    part,
    $("<div>", { class: "messaging-recipients-bar" }).append(counts, paste, unique, clear),
    examples,
  );
  return { panel, column, part, counts, paste, unique, clear, examples };
}

/** The line of counts. */
export function describeCounts({ valid, invalid, duplicates, open, personal }: RecipientVerdict): string {
  return [
    say("counts", { valid, invalid, duplicates }),
    ...(open > 0 ? [say("depends", { n: open })] : []),
    ...(personal > 0 ? [say("personal", { n: personal })] : []),
  ].join(" · ");
}
