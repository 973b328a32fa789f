import { shownName } from "../../shared/personal-text/own-name";
import { nameColumns, rowNames } from "../../shared/personal-text/row-name";
import { numberColumn, type Row } from "../../shared/personal-text/row-number";
import { sourceProperty } from "../../shared/fields/field-spec";
import { currentValue, type Dialog, heldText } from "../dialog/dialog";
import { sharedTexts, type Texts } from "../dialog/texts";
import { type Sample, valueAt } from "../personal-text/sample";
import { countryHint } from "../recipients/country-hint";
import { nationalNumber } from "../recipients/national-number";

const say: Texts = (key, values) => sharedTexts(`personal.${key}`, values);

const MOST_NAMED = 12;

/** What stands below a column, and whether that is a fault. */
type Hint = readonly [text: string, isFault: boolean];

const namesOf = (columns: readonly string[]): string =>
  columns.slice(0, MOST_NAMED).map(shownName).join(", ");

/** @param people a row; null where none is at hand */
function numberHint(people: Row | null, chosen: string): Hint {
  if (people === null) {
    return [say("column.hint"), false];
  }
  const found = numberColumn(people, chosen);
  if ("column" in found) {
    const { column } = found;
    return [say("column.found", { column: shownName(column), example: String(people[column]) }), false];
  }
  const values = { column: chosen, columns: namesOf(found.columns) };
  return [say(chosen === "" ? `column.${found.fault}` : "column.unknown", values), true];
}

function nameHint(people: Row | null, chosen: string): Hint {
  if (people === null) {
    return [say("name.hint"), false];
  }
  const name = rowNames([people], chosen)(people);
  if (name !== null) {
    return [say("name.found", { name, column: namesOf(nameColumns(people, chosen)) }), false];
  }
  return chosen === ""
    ? [say("name.none"), false]
    : [say("name.unknown", { column: chosen, columns: namesOf(Object.keys(people)) }), true];
}

/**
 * Prepares the columns with the numbers and the names, which stand below Recipients while these come from the message. With a row at
 * hand they say which column is taken, or which there are.
 * @param recipients name of the field
 * @returns brings them up to date
 */
export function prepareRowColumns(
  dialog: Dialog,
  recipients: string,
  sample: () => Sample | null,
): () => void {
  const { node, form, input } = dialog;
  const columns = [
    ["rowName", ".messaging-row-name", nameHint],
    ["rowNumber", ".messaging-row-number", numberHint],
  ] as const;
  const updates = columns.map(([property, selector, hintOf]) => {
    const row = form.find(selector);
    const hint = row.find(".messaging-hint");
    const field = input(property);
    row.insertAfter(input(recipients).closest(".form-row"));
    field.attr("placeholder", say("column.automatic"));
    field.autoComplete({
      search: (typed) =>
        [...new Set(Object.keys(sample()?.row ?? {}).map(shownName))]
          .filter((column) => column.toLowerCase().includes(typed.trim().toLowerCase()))
          .map((column) => ({ value: column, label: column })),
    });
    return (): void => {
      row.toggle(currentValue(node, sourceProperty(recipients)) === "msg");
      const [text, isFault] = hintOf(sample()?.row ?? null, String(field.val() ?? "").trim());
      hint.text(text).toggleClass("messaging-bad", isFault);
    };
  });
  const noCountry = countryHint(dialog);
  /** What the sample has as Recipients, and the row of the form that says what is wrong with it. */
  const given = (): readonly [value: unknown, below: JQuery] => {
    const [now, field] = [sample(), input(recipients)];
    if (now?.row) {
      const found = numberColumn(now.row, String(input("rowNumber").val() ?? "").trim());
      return ["column" in found ? now.row[found.column] : null, form.find(".messaging-row-number")];
    }
    return [now && valueAt(now.message, heldText(dialog, recipients)), field.closest(".form-row")];
  };
  return () => {
    for (const update of updates) {
      update();
    }
    const isRead = currentValue(node, sourceProperty(recipients)) === "msg";
    const [value, below] = given();
    if (!$.contains(below[0] as Element, noCountry.element[0] as Element)) {
      below.append(noCountry.element);
    }
    noCountry.show(isRead ? nationalNumber(value) : null);
  };
}
