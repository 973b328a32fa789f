import { parse } from "csv-parse/sync";

/** The cells of a file, row by row, as a reader of RFC 4180 finds them: strict about quotes and the number of cells in a line. */
export const readCsv = (text: string, delimiter = ","): readonly (readonly string[])[] =>
  parse(text, { delimiter, bom: true, record_delimiter: "\r\n" });
