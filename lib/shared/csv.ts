/** How tables are saved as CSV: what the sidebar asks of the runtime. */

/**
 * For a spreadsheet in German (`semicolon`: 31.12.2026 and 1,5) or in English (`comma`: 2026-12-31 and 1.5), or for `programs`: names and
 * values as flows have them, times in UTC.
 */
export const CSV_FORMS = ["semicolon", "comma", "programs"] as const;
export type CsvForm = (typeof CSV_FORMS)[number];

/** What a table is saved with. */
export interface CsvRequest {
  readonly form: CsvForm;
  /** Language of sentences, as the editor names it, such as `de`. */
  readonly language: string;
  /** IANA name of the zone of times. */
  readonly zone: string;
  /** Titles of the columns in their order. Programs get the names of the columns. */
  readonly header: readonly string[];
  /** Words for values, such as `outcome.sent`; a value without one stays as it is. */
  readonly words: Readonly<Record<string, string>>;
}

/** The key of the word for a value. */
export const wordKey = (column: string, value: string | boolean): string => `${column}.${value}`;
