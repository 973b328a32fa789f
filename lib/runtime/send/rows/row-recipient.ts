import { FieldError, type FieldFault } from "../../../shared/messaging-error";
import { isRow, numberColumn, type Row } from "../../../shared/personal-text/row-number";
import { type ParsedRecipients, parseRecipients } from "../../../shared/recipients/recipients";
import { shorten } from "../../../shared/recipients/rejected-recipient";
import { quoteValue } from "../../../texts/quote-value";
import { say } from "../../../texts/say";
import { readRecipients } from "../parts/message-parts";

const NAMED = 10;
const LONGEST_NAME = 40;

export interface RecipientsReading {
  /** The service's name of the field. */
  readonly field: string;
  /** ISO 3166 alpha-2, or blank. */
  readonly defaultCountry: string | undefined;
  /** Property of a row with the number; blank to find it by its name. */
  readonly rowNumber: string;
  readonly fromMessage: boolean;
}

/** @throws FieldError (or rejects with it) for a row without a recognisable number */
export function readAnyRecipients(
  value: unknown,
  reading: RecipientsReading,
): ParsedRecipients | Promise<ParsedRecipients> {
  if (typeof value !== "object" || value === null) {
    return readRecipients(value, reading.defaultCountry);
  }
  const row = isRow(value) ? value : null;
  if (!reading.fromMessage && (row !== null || (Array.isArray(value) && value.some(isRow)))) {
    throw new FieldError("FIELD_INVALID", reading.field, say("sources.row.elsewhere"));
  }
  return row === null ? readRecipients(value, reading.defaultCountry) : readRow(row, reading);
}

function readRow(
  row: Row,
  { field, defaultCountry, rowNumber }: RecipientsReading,
): ParsedRecipients | Promise<ParsedRecipients> {
  const wrong = (code: FieldFault, problem: string): FieldError => new FieldError(code, field, problem);
  const column = getColumn(row, rowNumber, wrong);
  const value = row[column];
  const shown = quoteName(column);
  if (value === undefined || value === null || (typeof value === "string" && value.trim() === "")) {
    throw wrong("FIELD_UNRESOLVED", say("sources.row.no-number", { column: shown }));
  }
  const check = (parsed: ParsedRecipients): ParsedRecipients => {
    if (parsed.accepted.length + parsed.rejected.length > 1) {
      throw wrong("FIELD_INVALID", say("sources.row.many", { column: shown }));
    }
    return parsed;
  };
  const parsed = readRecipients(value, defaultCountry);
  return parsed instanceof Promise ? parsed.then(check) : check(parsed);
}

export interface RowNumber {
  /** Shortened; blank without a number. */
  readonly given: string;
  /** Null for an invalid number, or several. */
  readonly digits: string | null;
}

export function readRowNumber(
  row: unknown,
  rowNumber: string,
  defaultCountry: string | undefined,
): RowNumber {
  const found = isRow(row) ? numberColumn(row, rowNumber) : null;
  const value = found === null ? row : "column" in found ? (row as Row)[found.column] : null;
  const given = typeof value === "string" || typeof value === "number" ? shorten(String(value)) : "";
  const { accepted, rejected } = parseRecipients(given, { defaultCountry });
  const [digits = null] = accepted.length === 1 && rejected.length === 0 ? accepted : [];
  return { given, digits };
}

/** @throws FieldError */
function getColumn(
  row: Row,
  rowNumber: string,
  wrong: (code: FieldFault, problem: string) => FieldError,
): string {
  const found = numberColumn(row, rowNumber);
  if ("column" in found) {
    return found.column;
  }
  const names = found.columns.slice(0, NAMED).map(quoteName);
  const columns = found.columns.length > NAMED ? `${names.join(", ")}, …` : names.join(", ");
  if (found.columns.length === 0) {
    throw wrong("FIELD_INVALID", say("sources.row.empty"));
  }
  if (found.fault === "several") {
    throw wrong("FIELD_INVALID", say("sources.row.several", { columns }));
  }
  throw wrong(
    "FIELD_INVALID",
    rowNumber === ""
      ? say("sources.row.none", { columns })
      : say("sources.row.unknown", { columns, column: quoteName(rowNumber) }),
  );
}

const quoteName = (column: string): string => quoteValue(column, LONGEST_NAME);
