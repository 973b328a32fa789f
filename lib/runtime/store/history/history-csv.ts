import { EXPORT_COLUMNS, type ExportColumn } from "../../../shared/history";
import type { MessageRecord } from "../../../shared/message-record";
import type { HistoryEntry } from "../../../store/history";
import { messageRecord } from "./message-record";

type Cell = string | number | boolean | null;

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Where a spreadsheet could take what follows for a formula: at the beginning of the text, and where a reader that splits at semicolons or
 * tabs begins a cell or a line within it, for to that reader quotes within a cell mean nothing.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[ \u00a0"']*[=+\-@＝＋－＠])/gu;

/** A cell by RFC 4180. In front of what a spreadsheet would calculate stands an apostrophe, which spreadsheets know as "text". */
export function csvCell(value: Cell): string {
  if (typeof value !== "string") {
    return value === null ? "" : String(value);
  }
  const text = value.replace(FORMULA, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of cells with its end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** Cells that are not a property of the record as it is. A number has no plus, so that spreadsheets leave it alone. */
const cellsOf = (
  record: MessageRecord,
  nameOf: (node: string) => string,
): Readonly<Record<ExportColumn, Cell>> => ({
  ...record,
  recipient: record.recipient.replace(/^\+/, ""),
  node: nameOf(record.node),
  nodeId: record.node,
});

/** A list as CSV, a page at a time. @param header titles of the columns @param rows the cells of a page, row by row */
export async function* csvFile<Page>(
  header: readonly string[],
  pages: AsyncIterable<Page>,
  rows: (page: Page) => readonly (readonly Cell[])[],
): AsyncGenerator<string, void, undefined> {
  yield BYTE_ORDER_MARK + csvLine(header);
  for await (const page of pages) {
    yield rows(page).map(csvLine).join("");
  }
}

/**
 * A history as CSV.
 * @param header titles of `EXPORT_COLUMNS`, in their order
 * @param nameOf name of a node; blank where it has none
 */
export const csvOf = (
  pages: AsyncIterable<readonly HistoryEntry[]>,
  header: readonly string[],
  nameOf: (node: string) => string,
): AsyncIterable<string> =>
  csvFile(header, pages, (page) =>
    page.map((entry) => {
      const cells = cellsOf(messageRecord(entry), nameOf);
      return EXPORT_COLUMNS.map((column) => cells[column]);
    }),
  );
