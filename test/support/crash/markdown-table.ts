/** A table in Markdown, which reads well in a terminal too: the first column to the left, the others to the right. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows];
  const widths = heads.map((_head, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
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
