import type { RecipientVerdict } from "./recipient-verdict";
import { sharedTexts, type Texts } from "../dialog/texts";

const say: Texts = (key, values) => sharedTexts(`recipients.${key}`, values);

function button(icon: string, label = ""): JQuery {
  return $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" }).append(
    $("<i>", { class: `fa ${icon}` }),
    " ",
    $("<span>").text(label),
  );
}

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
  const paste = button("fa-table");
  const unique = button("fa-compress", say("unique"));
  const clear = button("fa-eraser", say("clear"));
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
