import { FieldError } from "../../../lib/shared/messaging-error";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";

const SLICE = 10_000;
const NAMED = 10;

const isRow = (entry: unknown): entry is Readonly<Record<string, unknown>> =>
  typeof entry === "object" && entry !== null && !Array.isArray(entry);

/** Removes what spreadsheets and editors change: a byte order mark, blanks and capitals. */
const plainName = (name: string): string =>
  name
    .replace(/^\uFEFF/, "")
    .trim()
    .toLowerCase();

/** Finds a column in rows with mostly the same names. @returns its name in a row, or null */
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
 * Reads a column of rows. A row without it gives an entry without a value; an entry that is no row stays.
 * @param rows one row of a CSV node, or a list of them
 * @throws FieldError FIELD_INVALID if no row has the column
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
