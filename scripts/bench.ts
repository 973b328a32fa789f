import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DOWNLOAD_ROW } from "./bench/download-row";
import { type BenchRow, type Figure, keeps } from "./bench/row";

/**
 * Measures what tests cannot promise: memory and pace. Prints a table, writes the figures to `.cache/bench.json`,
 * and fails when one is outside its bound.
 */

const ROWS: readonly BenchRow[] = [DOWNLOAD_ROW];
const TARGET = join(__dirname, "..", ".cache", "bench.json");

interface Measured extends Figure {
  readonly row: string;
}

const number = (value: number): string => value.toFixed(1);

function line({ row, name, value, unit, most }: Measured): string {
  const bound = most === null ? "" : `at most ${number(most)} ${unit}`;
  const mark = most === null ? "" : keeps({ name, value, unit, most }) ? "ok" : "TOO MUCH";
  return [
    row.padEnd(36),
    name.padEnd(24),
    `${number(value)} ${unit}`.padStart(14),
    `  ${bound}`.padEnd(24),
    mark,
  ].join(" ");
}

async function main(): Promise<number> {
  const measured: Measured[] = [];
  for (const { name, run } of ROWS) {
    for (const figure of await run()) {
      const entry = { row: name, ...figure };
      measured.push(entry);
      console.log(line(entry).trimEnd());
    }
  }
  mkdirSync(join(TARGET, ".."), { recursive: true });
  const facts = {
    at: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
  writeFileSync(TARGET, `${JSON.stringify({ ...facts, figures: measured }, null, 2)}\n`);
  return measured.every(keeps) ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
