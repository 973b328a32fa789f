import { CSV_FORMS, type CsvForm, type CsvRequest, wordKey } from "../../shared/csv";
import { systemZone } from "../../shared/schedule/zoned-time";
import { select } from "../activity/dom";
import { texts } from "../activity/formatting";
import { language } from "../dialog/locale";

/** Texts of a table, by their keys. */
export interface CsvTexts {
  /** Keys of the titles, in the order of the columns; titles of times name the zone. */
  readonly titles: readonly string[];
  /** Columns with values that have words. */
  readonly words: readonly (readonly [
    column: string,
    values: readonly string[],
    keyOf: (value: string) => string,
  ])[];
}

/** How a file is written, at first as spreadsheets in the editor's language read it. */
export function csvChoice(): HTMLSelectElement {
  const choice = select(
    texts("csv.label"),
    CSV_FORMS.map((form) => [form, texts(`csv.form.${form}`)] as const),
  );
  choice.value = (language().startsWith("de") ? "semicolon" : "comma") satisfies CsvForm;
  return choice;
}

/** What a table is saved with: in the language of the editor. @param zone of its times, at first that of the browser */
export function csvRequest(form: CsvForm, { titles, words }: CsvTexts, zone = systemZone()): CsvRequest {
  return {
    form,
    language: language(),
    zone,
    header: titles.map((key) => texts(key, { zone })),
    words: Object.fromEntries(
      words.flatMap(([column, values, keyOf]) =>
        values.map((value) => [wordKey(column, value), texts(keyOf(value))]),
      ),
    ),
  };
}
