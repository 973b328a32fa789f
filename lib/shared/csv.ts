/** German and English spreadsheets differ in dates and decimals. `programs` get raw names, values and UTC times. */
export const CSV_FORMS = ["semicolon", "comma", "programs"] as const;
export type CsvForm = (typeof CSV_FORMS)[number];

export interface CsvRequest {
  readonly form: CsvForm;
  readonly language: string;
  /** IANA name. */
  readonly zone: string;
  readonly header: readonly string[];
  /** By keys such as `outcome.sent`. */
  readonly words: Readonly<Record<string, string>>;
}

export const wordKey = (column: string, value: string | boolean): string => `${column}.${value}`;
