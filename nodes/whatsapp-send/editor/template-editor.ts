import { countCharacters } from "../../../lib/shared/characters";
import type { FieldSpec, ListEntry } from "../../../lib/shared/fields/field-spec";
import { LIMITS } from "../../../lib/shared/fields/limits";
import { describeSource } from "../../../lib/editor/fields/describe-source";
import type { Dialog } from "../../../lib/editor/dialog/dialog";
import { formatNumber } from "../../../lib/editor/dialog/locale";
import { entriesOf } from "../../../lib/editor/inputs/list-fault";
import { chosenSource } from "../../../lib/editor/inputs/field-fault";
import { addEntries, readField } from "../../../lib/editor/inputs/list-input";
import { sharedTexts, type Texts } from "../../../lib/editor/dialog/texts";
import { whenChanged } from "../../../lib/editor/dialog/when-changed";
import type { FilledText } from "../../../lib/editor/personal-text/filled-text";
import {
  type PreviewEntry,
  type PreviewPart,
  previewTemplate,
  type TemplatePreview,
} from "./template-preview";

/** Only for the editor, never sent. */
export const TEMPLATE_TEXT = "templateText";

const names = (numbers: readonly number[]): string => numbers.map((n) => `{{${n}}}`).join(", ");

/** A text node, so that pasted text is never interpreted as HTML. */
function drawPart(part: PreviewPart): JQuery {
  switch (part.type) {
    case "text":
      return $("<span>").text(part.text);
    case "value":
      return $("<b>", { title: names([part.n]) }).text(part.text);
    case "open": {
      const { source, value } = part.entry;
      const text = source === "list" ? names([part.n]) : describeSource(source, value);
      return $("<span>", { class: "messaging-chip", title: names([part.n]) }).text(text);
    }
    case "missing":
      return $("<span>", { class: "messaging-chip messaging-chip-missing" }).text(names([part.n]));
  }
}

/** Adds approved text and preview below the placeholders. Counts characters and names missing and unused values. */
export function prepareTemplateEditor(
  dialog: Dialog,
  spec: FieldSpec,
  texts: Texts,
  fill: (text: string) => FilledText,
): void {
  const { node, input, watch } = dialog;
  const { name } = spec;
  const row = $(`#node-input-${name}-list`).closest(".form-row").addClass("messaging-placeholders");
  const pasted = input(TEMPLATE_TEXT);
  pasted.attr("placeholder", texts("template.example"));
  const preview = $("#messaging-template-preview");
  const bubble = preview.find(".messaging-bubble");
  const count = preview.find(".messaging-count");
  const notes = preview.find(".messaging-template-notes");

  const note = (key: string, numbers: readonly number[]): void => {
    if (numbers.length > 0) {
      $("<div>", { class: "messaging-bad" })
        .text(texts(`template.${key}`, { count: numbers.length, names: names(numbers) }))
        .appendTo(notes);
    }
  };
  const offerValues = ({ missing, length }: TemplatePreview & { readonly length: number }): void => {
    const last = missing.at(-1) ?? 0;
    if (last > length) {
      $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" })
        .text(texts("template.add", { count: last - length }))
        .on("click", () => addEntries(name, last - length))
        .appendTo(notes);
    }
  };
  const countEntries = (): void => {
    row.find("li").each((_at, element) => {
      const value = $(element).find("input.messaging-entry-value");
      if (value.length > 0) {
        const filled = value.typedInput("type") === "str" ? fill(String(value.typedInput("value"))) : null;
        $(element)
          .find(".messaging-entry-count")
          .text(
            filled?.exact
              ? `${formatNumber(countCharacters(filled.text))} / ${formatNumber(LIMITS.placeholderValue)}`
              : "",
          );
      }
    });
  };
  const draw = whenChanged((result: TemplatePreview & { readonly length: number }) => {
    const over = result.count > LIMITS.templateContent;
    preview.toggle(result.parts.length > 0);
    bubble.empty().append(result.parts.map(drawPart));
    count.toggleClass("messaging-bad", over).text(
      texts(result.exact ? "template.count" : "template.count-at-least", {
        count: result.count,
        max: LIMITS.templateContent,
      }) +
        (over
          ? ` – ${sharedTexts("fault.too-long", { count: result.count, max: LIMITS.templateContent })}`
          : ""),
    );
    notes.empty();
    note("missing", result.missing);
    offerValues(result);
    note("unused", result.unused);
  });
  watch(() => {
    const held = readField(node, spec);
    const source = chosenSource(node, spec);
    const asSent = (entry: ListEntry): PreviewEntry => {
      const { text, exact } = entry.source === "str" ? fill(entry.value) : { text: entry.value, exact: true };
      return exact ? { ...entry, value: text } : { ...entry, value: text, open: true };
    };
    const entries = source === "list" ? entriesOf(held).map(asSent) : source === "blank" ? [] : null;
    countEntries();
    draw({ ...previewTemplate(String(pasted.val()), entries), length: entries?.length ?? 0 });
  });
}
