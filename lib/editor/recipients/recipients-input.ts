import { isColumn, toColumn, toLine } from "./recipient-column";
import { sourceProperty } from "../../shared/fields/field-spec";
import { currentValue, type Dialog, isOpen } from "../dialog/dialog";
import { holdLongValue } from "../fields/shown-value";
import { convertPasted, LONGEST_UNDOABLE } from "../fields/paste";
import { fillsBraces } from "../personal-text/personal-properties";
import { withoutPersonal } from "../personal-text/without-personal";
import { countryHint } from "./country-hint";
import { type RecipientReader, recipientReader } from "./recipient-reader";
import { countryOf, type RecipientVerdict, sumUp } from "./recipient-verdict";
import { findRecipientsFault } from "./recipients-fault";
import { sharedTexts, type Texts } from "../dialog/texts";
import { iconButton } from "../dialog/icon-button";

const say: Texts = (key, values) => sharedTexts(`recipients.${key}`, values);

function recipientsPanel() {
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

function describeCounts({ valid, invalid, duplicates, open, personal }: RecipientVerdict): string {
  return [
    say("counts", { valid, invalid, duplicates }),
    ...(open > 0 ? [say("depends", { n: open })] : []),
    ...(personal > 0 ? [say("personal", { n: personal })] : []),
  ].join(" · ");
}

const MOST_EXAMPLES = 5;
/** Milliseconds without input before a list is counted or a long column is copied to the field. */
const QUIET = 250;
/** Characters that browsers lay out quickly. */
const LONGEST_LINE = 20_000;
const LONGEST_COLUMN = 60_000;
/** Characters up to which the column is copied to the field at each key. */
const SHORT = 20_000;

/** Replaces an unknown default country; separates numbers that depend on it from invalid ones. */
const UNKNOWN_COUNTRY = "?";

/** Counts typed recipients and offers a column to edit them. The property holds all in one line. */
export function prepareRecipients(dialog: Dialog, name: string): void {
  const reader = recipientReader();
  if (reader === undefined) {
    return;
  }
  const { node, input, watch } = dialog;
  const field = input(name);
  const row = field.closest(".form-row");
  const { panel, column, part, counts, paste, unique, clear, examples } = recipientsPanel();
  panel.appendTo(row);
  const noCountry = countryHint(dialog);
  noCountry.element.insertBefore(panel);

  const inner = row.find(".red-ui-typedInput-input");
  holdLongValue(inner[0] as HTMLInputElement, LONGEST_LINE);
  holdLongValue(column[0] as HTMLTextAreaElement, LONGEST_COLUMN);
  const text = (): string => String(field.typedInput("value"));
  const isTyped = (): boolean => currentValue(node, sourceProperty(name)) === "str";
  const country = (): string | undefined => countryOf(RED.nodes.node(String(currentValue(node, "account"))));
  const options = () => ({ defaultCountry: country() ?? UNKNOWN_COUNTRY });
  const known = () => (fillsBraces(node) ? withoutPersonal(text()) : { text: text(), count: 0 });
  let open = false;
  let latest = "";
  /** The value that column and field last had in common. */
  let line = "";
  let verdict: RecipientVerdict | null = null;
  let count = new AbortController();
  let counting = 0;
  let writing = 0;

  const draw = (): void => {
    const blank = text().trim() === "";
    counts.text(verdict === null ? say(blank ? "none" : "counting") : describeCounts(verdict));
    unique.toggle((verdict?.duplicates ?? 0) > 0);
    paste.find("span").text(say(open ? "close" : "open"));
    column.toggle(open);
    const held = text().length > LONGEST_LINE;
    part.toggle(held);
    clear.toggle(held);
    // The first error is already shown in red, unless it depends on the account.
    const most = open ? MOST_EXAMPLES : findRecipientsFault(known().text) === null ? 1 : 0;
    const shown = verdict?.examples.slice(0, most) ?? [];
    examples
      .empty()
      .append(
        ...shown.map(({ value, reason }) =>
          $("<li>").text(sharedTexts("fault.number", { number: value, reason: say(`reason.${reason}`) })),
        ),
      );
    noCountry.show(isTyped() ? (verdict?.national ?? null) : null);
    panel.toggleClass("messaging-names-fault", open && shown.length > 0);
    const more = (verdict?.wrong ?? 0) - shown.length;
    if (open && more > 0) {
      examples.append($("<li>").text(say("more", { n: more })));
    }
  };
  const recount = (): void => {
    count.abort();
    count = new AbortController();
    const { signal } = count;
    clearTimeout(counting);
    verdict = null;
    if (text().trim() === "") {
      return;
    }
    const countryKnown = country() !== undefined;
    const start = async (): Promise<void> => {
      try {
        const { text: numbers, count: personal } = known();
        const parsed = await reader.read(numbers, options(), signal);
        if (!signal.aborted && isOpen(dialog)) {
          verdict = sumUp(parsed, countryKnown, MOST_EXAMPLES, personal);
          draw();
        }
      } catch {
        // A newer count has started.
      }
    };
    counting = window.setTimeout(() => isOpen(dialog) && void start(), QUIET);
  };
  const refresh = (): void => {
    const typed = isTyped();
    panel.toggle(typed);
    if (!typed) {
      noCountry.show(null);
    }
    const state = `${typed} ${fillsBraces(node)} ${options().defaultCountry} ${text()}`;
    if (state === latest) {
      return;
    }
    latest = state;
    if (typed) {
      if (open && text() !== line) {
        line = text();
        column.val(toColumn(line));
      }
      recount();
      draw();
    }
  };
  const write = (): void => {
    clearTimeout(writing);
    if (open && isOpen(dialog)) {
      line = toLine(String(column.val()));
      if (line !== text()) {
        field.typedInput("value", line);
      }
    }
  };
  column.on("input", () => {
    clearTimeout(writing);
    if (String(column.val()).length <= SHORT) {
      write();
    } else {
      writing = window.setTimeout(write, QUIET);
    }
  });
  column.on("change", write);
  convertPasted(column, (pasted) =>
    pasted.length > LONGEST_UNDOABLE || column.prop("readonly") ? toColumn(pasted) : null,
  );
  paste.on("click", () => {
    write();
    open = !open;
    if (open) {
      line = text();
      column.val(toColumn(line));
    }
    draw();
    (open ? column : paste).trigger("focus");
  });
  clear.on("click", () => {
    field.typedInput("value", "");
    (open ? column : inner).trigger("focus");
  });
  unique.on("click", () => {
    write();
    void removeDuplicates(reader, text(), options().defaultCountry).then((left) => {
      if (left.from === text() && isOpen(dialog)) {
        field.typedInput("value", left.line);
      }
    });
  });
  convertPasted(inner, (pasted) =>
    isTyped() && (isColumn(pasted) || pasted.length > LONGEST_UNDOABLE || inner.prop("readonly"))
      ? toLine(pasted)
      : null,
  );
  const saved = node[name];
  // The editor has filled it into an input that removed its line breaks, so that two numbers became one.
  if (typeof saved === "string" && node[sourceProperty(name)] === "str" && /[\r\n]/.test(saved)) {
    field.typedInput("value", toLine(saved));
  }
  watch(refresh);
}

async function removeDuplicates(
  reader: RecipientReader,
  from: string,
  defaultCountry: string,
): Promise<{ from: string; line: string }> {
  const kept = await reader.unique(
    toColumn(from).split("\n"),
    { defaultCountry },
    new AbortController().signal,
  );
  return { from, line: kept.join(", ") };
}
