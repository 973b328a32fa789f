import { markdownTable } from "./markdown-table";
import type { Kind } from "./traffic";

/** What came of the messages of one kind. All numbers but the first count people. */
export interface KindRow {
  readonly kind: Kind | "all";
  messages: number;
  people: number;
  /** Taken by the service, which said so. */
  accepted: number;
  /** Surely not taken by the service. */
  refused: number;
  /** `unknown` because of what was done to a process while the request was under way. */
  unknownByKill: number;
  /** `unknown` because of what service and network did. */
  unknownByFault: number;
  sentTwice: number;
  /** Taken, and neither sent nor given an outcome. */
  lost: number;
  /** Taken, without exactly one outcome. */
  withoutOutcome: number;
  /** The flow saw the result more than once. */
  repeated: number;
  /** The flow never saw the result, although the ledger has it. */
  unseen: number;
}

const HEADS: Readonly<Record<keyof KindRow, string>> = {
  kind: "kind",
  messages: "messages",
  people: "people",
  accepted: "accepted",
  refused: "refused",
  unknownByKill: "unknown: under way at a kill",
  unknownByFault: "unknown: cut or unclear answer",
  sentTwice: "sent twice",
  lost: "lost",
  withoutOutcome: "without outcome",
  repeated: "result seen again",
  unseen: "result not seen",
};
const KEYS = Object.keys(HEADS) as (keyof KindRow)[];

export const emptyRow = (kind: KindRow["kind"]): KindRow =>
  ({ ...Object.fromEntries(KEYS.map((key) => [key, 0])), kind }) as KindRow;

/** The rows with their sum as the last one. */
export function withSum(rows: readonly KindRow[]): readonly KindRow[] {
  const all = emptyRow("all");
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) {
      if (typeof value === "number") (all as unknown as Record<string, number>)[key]! += value;
    }
  }
  return [...rows, all];
}

/** The rows as a table in Markdown. @param heads other words for some columns */
export function kindTable(rows: readonly KindRow[], heads: Partial<typeof HEADS> = {}): string {
  const words = { ...HEADS, ...heads };
  return markdownTable(
    KEYS.map((key) => words[key]),
    rows.map((row) => KEYS.map((key) => String(row[key]))),
  );
}
