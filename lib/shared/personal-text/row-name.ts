import { sanitiseText } from "../sanitise-text";
import { ownName } from "./own-name";
import { isRow, plainName, type Row } from "./row-number";

/** Usual columns, as `plainName` formats them. */
const WHOLE: readonly string[] = [
  "name",
  "fullname",
  "displayname",
  "vollername",
  "vollständigername",
  "vornamename",
  "namevorname",
  "customer",
  "customername",
  "kunde",
  "kundin",
  "kundenname",
  "patient",
  "patientin",
];
const FIRST: readonly string[] = ["firstname", "givenname", "forename", "vorname"];
const LAST: readonly string[] = ["lastname", "surname", "familyname", "nachname", "familienname"];
/** Characters of a name. */
const MAX_NAME = 60;
/** Rows to scan, because some lists omit blank values. */
const SAMPLE_ROWS = 100;

/** Refuses numbers and addresses, which must not appear as names. */
const looksLikeName = (text: string): boolean => /\p{L}/u.test(text) && !/@|\d{5}/.test(text);

/** @param chosen as in `rowNames` */
export function nameColumns(row: Row, chosen: string): readonly string[] {
  if (chosen !== "") {
    const whole = ownName(row, chosen);
    const named = whole === null ? chosen.split(",").map((part) => ownName(row, part.trim())) : [whole];
    return named.filter((column) => column !== null);
  }
  const byName = new Map(Object.keys(row).map((column) => [plainName(column), column]));
  const find = (names: readonly string[]): string | undefined =>
    byName.get(names.find((name) => byName.has(name)) ?? "");
  const [first, last, whole] = [find(FIRST), find(LAST), find(WHOLE)];
  // A list with first names has last names in “Name”.
  const found = first === undefined && last === undefined ? [whole] : [first, last ?? whole];
  return found.filter((column) => column !== undefined);
}

/**
 * Reads names by the columns of the first rows.
 * @param chosen properties with commas, or blank for usual names
 */
export function rowNames(list: readonly unknown[], chosen: string): (row: unknown) => string | null {
  const sample = Object.assign({}, ...list.slice(0, SAMPLE_ROWS).filter(isRow)) as Row;
  const columns = nameColumns(sample, chosen);
  if (columns.length === 0) {
    return () => null;
  }
  return (row) => {
    if (!isRow(row)) {
      return null;
    }
    const words = columns.map((column) => row[column]).filter((value) => typeof value === "string");
    const name = words.join(" ").replace(/\s+/g, " ").trim();
    return name === "" || (chosen === "" && !looksLikeName(name)) ? null : sanitiseText(name, MAX_NAME);
  };
}
