import type { KindRow } from "./settle";

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

/** The rows as a table in Markdown, which reads well in a terminal too. */
export function crashTable(rows: readonly KindRow[]): string {
  const lines = [KEYS.map((key) => HEADS[key]), ...rows.map((row) => KEYS.map((key) => String(row[key])))];
  const widths = KEYS.map((_key, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const text = lines.map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join(" | "),
  );
  const rule = widths
    .map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))
    .join(" | ");
  return [text[0], rule, ...text.slice(1)].map((line) => `| ${line} |`).join("\n");
}
