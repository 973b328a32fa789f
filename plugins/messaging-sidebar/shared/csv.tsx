import { language } from "../../../lib/editor/dialog/locale";
import { CSV_FORMS, type CsvForm, type CsvRequest, wordKey } from "../../../lib/shared/csv";
import { systemZone } from "../../../lib/shared/schedule/zoned-time";
import { texts } from "./format";
import { Select } from "./inputs";

/** Texts of a table, by their keys. */
export interface CsvTexts {
  /** Keys of the titles, in the order of the columns; titles of times name the zone. */
  readonly titles: readonly string[];
  /** Columns with values that have words. */
  readonly words: readonly (readonly [
    column: string,
    values: readonly string[],
    toKey: (value: string) => string,
  ])[];
}

/** The form that spreadsheets in the editor's language read. */
export const getCsvForm = (): CsvForm => (language().startsWith("de") ? "semicolon" : "comma");

interface CsvSelectProps {
  readonly form: CsvForm;
  readonly onChange: (form: CsvForm) => void;
}

export const CsvSelect = ({ form, onChange }: CsvSelectProps) => (
  <Select
    label={texts("csv.label")}
    options={CSV_FORMS.map((each) => [each, texts(`csv.form.${each}`)])}
    value={form}
    onChange={(value) => onChange(value as CsvForm)}
  />
);

/** @param zone of the times, by default that of the browser */
export function csvRequest(form: CsvForm, { titles, words }: CsvTexts, zone = systemZone()): CsvRequest {
  return {
    form,
    language: language(),
    zone,
    header: titles.map((key) => texts(key, { zone })),
    words: Object.fromEntries(
      words.flatMap(([column, values, toKey]) =>
        values.map((value) => [wordKey(column, value), texts(toKey(value))]),
      ),
    ),
  };
}
