import { isRow, type Row } from "../../shared/personal-text/row-number";
import type { Pasted } from "./sample";

/** Why a pasted text is no row: it is empty, it is JSON with a mistake or without an object, or it has no line below its head. */
export type PasteFault = "empty" | "json" | "no-object" | "one-line";

/** What may stand between the cells of a line; tabs are what a spreadsheet copies. */
const SEPARATORS = ["\t", ";", ","] as const;

/** The first `most` lines of a table, in cells. A cell in quotes may have separators, line breaks and doubled quotes in it. */
function readTable(text: string, separator: string, most: number): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${separator}\\r\\n]*)(${separator}|\\r\\n?|\\n|$)`, "y");
  while (cell.lastIndex < text.length && lines.length < most) {
    const match = cell.exec(text);
    const [, written = "", end = ""] = match ?? [];
    const isQuoted = written.length > 1 && written.startsWith('"') && written.endsWith('"');
    line.push(isQuoted ? written.slice(1, -1).replaceAll('""', '"') : written.trim());
    if (end !== separator || cell.lastIndex >= text.length) {
      if (line.some((each) => each !== "")) {
        lines.push(line);
      }
      line = [];
    }
  }
  return lines;
}

/** The separator that the head of a table has most. */
function separatorOf(text: string): string {
  const [head = ""] = text.split(/[\r\n]/, 1);
  const counted = SEPARATORS.map((sign) => [sign, head.split(sign).length] as const);
  return counted.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

function readJson(text: string): Pasted | PasteFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "json";
  }
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isRow(first)) {
    return "no-object";
  }
  return isRow(first.payload) || Object.hasOwn(first, "_msgid") ? { message: first } : { row: first };
}

/**
 * Reads a head and a line as copied from a spreadsheet or a CSV file, with tabs, semicolons or commas between the cells; or JSON: an
 * object, or a list of which the first counts. JSON with a payload that is an object is a whole message.
 */
export function readPasted(pasted: string): Pasted | PasteFault {
  const text = pasted.replace(/^\s*[\r\n]/, "").trimEnd();
  if (text.trim() === "") {
    return "empty";
  }
  if (/^\s*[[{]/.test(text)) {
    return readJson(text);
  }
  const [head, line] = readTable(text, separatorOf(text), 2);
  if (head === undefined || line === undefined) {
    return "one-line";
  }
  const row: Row = Object.fromEntries(
    head.map((name, at) => [name, line[at] ?? ""] as const).filter(([name]) => name !== ""),
  );
  return { row };
}
