import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../test/support/node-red/packed-package";
import { bound, type Measured, number } from "./measured";

const PAGE = join(ROOT, "docs", "benchmarks.md");
const MARKED = /<!-- figures -->[\s\S]*<!-- end of figures -->/;

function table(measured: readonly Measured[]): string {
  const rows = measured.map(({ situation, name, value, unit, rounds = [], goal, met }) =>
    [
      situation,
      name,
      `${number(value)} ${unit}`.trim(),
      rounds.length === 0 ? "" : rounds.length,
      goal === null ? "" : bound(goal),
      met === null ? "" : met ? "met" : "**short**",
    ].join(" | "),
  );
  return ["situation | figure | median | rounds | goal | ", "---|---|--:|--:|--:|---", ...rows]
    .map((row) => `| ${row} |`)
    .join("\n");
}

/** Puts the figures into their page, between its two marks; the words around them are written by hand. */
export function writeReport(machine: Readonly<Record<string, string>>, measured: readonly Measured[]): void {
  if (!existsSync(PAGE)) {
    return;
  }
  const { node, platform, processor, memory, load } = machine;
  const text = [
    "<!-- figures -->",
    `Node.js ${node}, ${platform}, ${processor}, ${memory}. Load of the machine at the end (5 minutes): ${load}.`,
    "",
    "### Goals",
    "",
    table(measured.filter(({ goal }) => goal !== null)),
    "",
    "### Everything measured",
    "",
    table(measured.filter(({ goal }) => goal === null)),
    "<!-- end of figures -->",
  ].join("\n");
  writeFileSync(
    PAGE,
    readFileSync(PAGE, "utf8").replace(MARKED, () => text),
  );
}
