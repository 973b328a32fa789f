import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { BULK_ROW } from "./bench/bulk-row";
import { BURST_ROW } from "./bench/burst-row";
import { DOWNLOAD_ROW } from "./bench/download-row";
import { type Goal, goalOf, isMet } from "./bench/goals";
import { readOptions } from "./bench/options";
import type { BenchRow, Figure } from "./bench/row";
import { SENDS_ROW } from "./bench/sends-row";
import { WEBHOOK_ROW } from "./bench/webhook-row";
import { build } from "./demo/start-demo";

/**
 * Measures what tests cannot promise: pace, processor time and memory. Prints a table, writes the figures to
 * `.cache/bench.json`, says which goals fall short, and fails when there are any.
 */

const ROWS: readonly BenchRow[] = [SENDS_ROW, BURST_ROW, BULK_ROW, WEBHOOK_ROW, DOWNLOAD_ROW];
const TARGET = join(__dirname, "..", ".cache", "bench.json");

interface Measured extends Figure {
  readonly row: string;
  readonly situation: string;
  readonly goal: Goal | null;
  readonly met: boolean | null;
}

const number = (value: number): string =>
  Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));

const bound = ({ least, most }: Goal): string =>
  least === undefined ? `at most ${number(most as number)}` : `at least ${number(least)}`;

const line = ({ situation, name, value, unit, goal, met }: Measured): string =>
  [
    situation.padEnd(30),
    name.padEnd(40),
    `${number(value)} ${unit}`.trim().padStart(18),
    `  ${goal === null ? "" : bound(goal)}`.padEnd(18),
    met === null ? "" : met ? "ok" : "SHORT",
  ]
    .join(" ")
    .trimEnd();

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  const unknown = options.rows?.find((id) => !ROWS.some((row) => row.id === id));
  if (unknown !== undefined) {
    throw new Error(`there is no row '${unknown}', only ${ROWS.map(({ id }) => id).join(", ")}`);
  }
  if (process.env.BENCH_BUILD !== "no") {
    build();
  }
  const measured: Measured[] = [];
  for (const { id, run } of ROWS.filter((row) => options.rows?.includes(row.id) ?? true)) {
    for await (const { situation, figures } of run(options)) {
      for (const figure of figures) {
        const goal = goalOf(situation, figure.name);
        const met = goal === null ? null : isMet(goal, figure.value);
        const entry = { row: id, situation, ...figure, goal, met };
        measured.push(entry);
        console.log(line(entry));
      }
    }
  }
  mkdirSync(join(TARGET, ".."), { recursive: true });
  const processors = cpus();
  const facts = {
    at: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processor: `${processors.length} × ${processors[0]?.model.trim() ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    options,
  };
  writeFileSync(TARGET, `${JSON.stringify({ ...facts, figures: measured }, null, 2)}\n`);
  const short = measured.filter(({ met }) => met === false);
  console.log(
    short.length === 0
      ? "\nEvery goal measured here is met."
      : `\nShort of their goals:\n${short.map(line).join("\n")}`,
  );
  return short.length === 0 ? 0 : 1;
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
