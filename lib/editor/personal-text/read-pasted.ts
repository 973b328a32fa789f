import { isRow, type Row } from "../../shared/personal-text/row-number";
import type { Pasted } from "./sample";

export type PasteFault = "empty" | "json" | "no-object" | "one-line";

/** Spreadsheets copy tabs. */
const SEPARATORS = ["\t", ";", ","] as const;

/** A quoted cell may contain separators, line breaks and doubled quotes. */
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

function getSeparator(text: string): string {
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

/** Reads a table with head and line, or JSON: an object, a list, or a message with an object as payload. */
export function readPasted(pasted: string): Pasted | PasteFault {
  const text = pasted.replace(/^\s*[\r\n]/, "").trimEnd();
  if (text.trim() === "") {
    return "empty";
  }
  if (/^\s*[[{]/.test(text)) {
    return readJson(text);
  }
  const [head, line] = readTable(text, getSeparator(text), 2);
  if (head === undefined || line === undefined) {
    return "one-line";
  }
  const row: Row = Object.fromEntries(
    head.map((name, at) => [name, line[at] ?? ""] as const).filter(([name]) => name !== ""),
  );
  return { row };
}
