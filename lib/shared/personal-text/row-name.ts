import { sanitiseText } from "../sanitise-text";
import { ownName } from "./own-name";
import { isRow, plainName, type Row } from "./row-number";

/** Names that columns with the names of people usually have, as `plainName` writes them. */
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
/** Characters of the longest name that is kept. */
const LONGEST = 60;
/** Rows whose columns are looked at: where a value is blank, some lists leave its column out. */
const SAMPLE = 100;

/** Whether a text that was found by the name of its column is a name: a number or an address of people must not stand where names may. */
const looksLikeName = (text: string): boolean => /\p{L}/u.test(text) && !/@|\d{5}/.test(text);

/**
 * The columns that make the name of a person, in the order in which they are read.
 * @param chosen as of `rowNames`
 */
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
  // In a list with first names the column “Name” has the other one.
  const found = first === undefined && last === undefined ? [whole] : [first, last ?? whole];
  return found.filter((column) => column !== undefined);
}

/**
 * Reads the names of people from the rows of a list. All rows are read by the columns of the first ones.
 * @param chosen name of the property, or several with commas; blank for those with usual names
 * @returns of a row its name; null where it has none
 */
export function rowNames(list: readonly unknown[], chosen: string): (row: unknown) => string | null {
  const sample = Object.assign({}, ...list.slice(0, SAMPLE).filter(isRow)) as Row;
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
    return name === "" || (chosen === "" && !looksLikeName(name)) ? null : sanitiseText(name, LONGEST);
  };
}
