import type { CsvRequest } from "../../../lib/shared/csv";

/** What a table is saved with: for programs, in English and with times in UTC where nothing else is given. */
export const csvRequest = (given: Partial<CsvRequest> = {}): CsvRequest => ({
  form: "programs",
  language: "en-US",
  zone: "UTC",
  header: [],
  words: {},
  ...given,
});
