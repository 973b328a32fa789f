const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ");

/** A Markdown table; each row has one cell for each head. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
