import { FieldError } from "../../../lib/shared/messaging-error";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";

/** Rows between two pauses. */
const SLICE = 10_000;
/** Columns that an error names. */
const NAMED = 10;

const isRow = (entry: unknown): entry is Readonly<Record<string, unknown>> =>
  typeof entry === "object" && entry !== null && !Array.isArray(entry);

/** A name of a column without what spreadsheets and editors change: a byte order mark, blanks around it, capitals. */
const plainName = (name: string): string =>
  name
    .replace(/^\uFEFF/, "")
    .trim()
    .toLowerCase();

/** Finds a column in rows, most of which have the same names. @returns its name as a row has it; null where the row has none */
function columnFinder(column: string): (row: object) => string | null {
  const plain = plainName(column);
  let latest = column;
  return (row) => {
    if (Object.hasOwn(row, latest)) {
      return latest;
    }
    const found = Object.keys(row).find((name) => plainName(name) === plain);
    latest = found ?? latest;
    return found ?? null;
  };
}

/**
 * The numbers of a column, as a list with an entry for each row; a row without the column is an entry without a value. What is no row stays
 * as it is, so that a plain list of numbers is read as well.
 * @param rows what a CSV node gives: one row or a list of them
 * @throws FieldError FIELD_INVALID where there are rows and none has the column
 */
export async function columnOfRows(rows: unknown, column: string): Promise<unknown> {
  const list: readonly unknown[] | null = Array.isArray(rows) ? rows : isRow(rows) ? [rows] : null;
  if (list === null) {
    return rows;
  }
  const entries: unknown[] = [];
  let first: Readonly<Record<string, unknown>> | null = null;
  let hasColumn = false;
  const nameIn = columnFinder(column);
  for (const [at, entry] of list.entries()) {
    if (at % SLICE === SLICE - 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isRow(entry)) {
      first ??= entry;
      const name = nameIn(entry);
      hasColumn ||= name !== null;
      entries.push(name === null ? undefined : entry[name]);
    } else {
      entries.push(entry);
    }
  }
  if (first !== null && !hasColumn) {
    const columns = Object.keys(first)
      .slice(0, NAMED)
      .map((name) => quoteValue(name))
      .join(", ");
    const values = { column: quoteValue(column), columns: columns || say("optOuts.none") };
    throw new FieldError("FIELD_INVALID", "column", say("optOuts.noColumn", values));
  }
  return entries;
}
