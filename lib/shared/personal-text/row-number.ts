import { ownName } from "./own-name";

/** Names that columns with phone numbers usually have, as `plainName` writes them. */
const USUAL: ReadonlySet<string> = new Set([
  "to",
  "number",
  "phone",
  "phonenumber",
  "mobile",
  "mobilenumber",
  "mobilephone",
  "cell",
  "cellphone",
  "msisdn",
  "tel",
  "telephone",
  "recipient",
  "nummer",
  "telefon",
  "telefonnummer",
  "telnr",
  "handy",
  "handynummer",
  "mobil",
  "mobilnummer",
  "mobiltelefon",
  "natel",
  "empfänger",
  "empfaenger",
]);

/** A row of people: an object with a number and whatever the text needs. */
export type Row = Readonly<Record<string, unknown>>;

/** Where the number of a row is. */
export type FoundNumber =
  | { readonly column: string }
  /** `columns` are those that could be it. */
  | { readonly fault: "none" | "several"; readonly columns: readonly string[] };

/** Name of a column without blanks, `_`, `-`, `.`, in lower case. */
export const plainName = (column: string): string => column.toLowerCase().replace(/[\s_.-]+/g, "");

/** Whether a value is a row, rather than a number, a text, a list or a value of a class. */
export function isRow(value: unknown): value is Row {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  // Rows that went through a function node or a file have another `Object`, so its prototype is not compared.
  return Object.prototype.toString.call(value) === "[object Object]" && !ArrayBuffer.isView(value);
}

/**
 * Finds the property of a row that holds the number.
 * @param chosen its name; blank to look for one with a usual name
 */
export function numberColumn(row: Row, chosen: string): FoundNumber {
  const columns = Object.keys(row);
  if (chosen !== "") {
    const column = ownName(row, chosen);
    return column === null ? { fault: "none", columns } : { column };
  }
  const usual = columns.filter((column) => USUAL.has(plainName(column)));
  const [only] = usual;
  if (only === undefined) {
    return { fault: "none", columns };
  }
  return usual.length === 1 ? { column: only } : { fault: "several", columns: usual };
}
