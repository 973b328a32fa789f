import { numberColumn } from "../../shared/personal-text/row-number";
import { sourceProperty } from "../../shared/fields/field-spec";
import { currentValue, type Dialog } from "../dialog/dialog";
import { sharedTexts, type Texts } from "../dialog/texts";
import type { Sample } from "../personal-text/sample";

const say: Texts = (key, values) => sharedTexts(`personal.${key}`, values);

const MOST_NAMED = 12;

/**
 * Prepares the row for the column with the numbers, which stands below Recipients while these come from the message. With a row at
 * hand it says which column is taken, or which there are.
 * @param recipients name of the field
 * @returns brings the row up to date
 */
export function prepareNumberColumn(
  { node, form, input }: Dialog,
  recipients: string,
  sample: () => Sample | null,
): () => void {
  const row = form.find(".messaging-row-number");
  const hint = row.find(".messaging-hint");
  const field = input("rowNumber");
  row.insertAfter(input(recipients).closest(".form-row"));
  field.attr("placeholder", say("column.automatic"));
  field.autoComplete({
    search: (typed) =>
      Object.keys(sample()?.row ?? {})
        .filter((column) => column.toLowerCase().includes(typed.trim().toLowerCase()))
        .map((column) => ({ value: column, label: column })),
  });
  return () => {
    row.toggle(currentValue(node, sourceProperty(recipients)) === "msg");
    const people = sample()?.row ?? null;
    const chosen = String(field.val() ?? "").trim();
    if (people === null) {
      hint.text(say("column.hint")).removeClass("messaging-bad");
      return;
    }
    const found = numberColumn(people, chosen);
    if ("column" in found) {
      const { column } = found;
      hint.text(say("column.found", { column, example: String(people[column]) }));
    } else {
      const columns = found.columns.slice(0, MOST_NAMED).join(", ");
      hint.text(say(chosen === "" ? `column.${found.fault}` : "column.unknown", { column: chosen, columns }));
    }
    hint.toggleClass("messaging-bad", !("column" in found));
  };
}
