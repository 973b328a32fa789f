import { ownName } from "./own-name";

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

export type Row = Readonly<Record<string, unknown>>;

export type FoundNumber =
  | { readonly column: string }
  | { readonly fault: "none" | "several"; readonly columns: readonly string[] };

export const plainName = (column: string): string => column.toLowerCase().replace(/[\s_.-]+/g, "");

export function isRow(value: unknown): value is Row {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  // The prototype is not compared, because objects of a function node have another realm.
  return Object.prototype.toString.call(value) === "[object Object]" && !ArrayBuffer.isView(value);
}

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
