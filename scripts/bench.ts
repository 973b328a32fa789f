import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { BULK_ROW } from "./bench/rows/bulk-row";
import { BURST_ROW } from "./bench/rows/burst-row";
import { commitTime } from "./bench/disk";
import { DIALOG_ROW } from "./bench/rows/dialog-row";
import { DOWNLOAD_ROW } from "./bench/rows/download-row";
import { goalOf, isMet } from "./bench/report/goals";
import { compare, COMPARED, type Comparison, ratioTo } from "./bench/compare";
import { bound, type Measured, number } from "./bench/report/measured";
import { type BenchOptions, readOptions } from "./bench/options";
import { type Machine, writeReport } from "./bench/report/report";
import { GUARDS_ROW } from "./bench/rows/guards-row";
import { INSTANCES_ROW } from "./bench/rows/instances-row";
import { POSTGRESQL_ROW } from "./bench/rows/postgresql-row";
import type { BenchRow } from "./bench/rows/row";
import { REPORT_ROW } from "./bench/rows/report-row";
import { SCALE_ROW } from "./bench/rows/scale-row";
import { SENDS_ROW } from "./bench/rows/sends-row";
import { committedState, type State, statesOf } from "./bench/states";
import { median } from "./bench/report/statistics";
import { START_ROW } from "./bench/rows/start-row";
import { STORE_ROW } from "./bench/rows/store-row";
import { VOLUME_ROW } from "./bench/rows/volume-row";
import { WEBHOOK_ROW } from "./bench/rows/webhook-row";
import { build } from "./demo/start-demo";
import { runMain } from "./run-main";

/**
 * Measures what tests cannot promise: pace, processor time and memory. Prints a table, writes the figures to
 * `.cache/bench.json`, says which goals fall short, and fails when there are any. `--full` runs everything on a committed state and
 * writes the page of benchmarks.
 */

const ROWS: readonly BenchRow[] = [
  SENDS_ROW,
  BURST_ROW,
  BULK_ROW,
  STORE_ROW,
  GUARDS_ROW,
  POSTGRESQL_ROW,
  INSTANCES_ROW,
  VOLUME_ROW,
  REPORT_ROW,
  WEBHOOK_ROW,
  DOWNLOAD_ROW,
  DIALOG_ROW,
  START_ROW,
  SCALE_ROW,
];
/** Ratio above which something counts as slower than in another state. */
const SLOWER = 1.05;
const TARGET = join(__dirname, "..", ".cache", "bench.json");

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

/** What the machine was like during a run. @param commits ms of a commit of its disk, before and after @param loads likewise */
function machineOf(loads: readonly number[], commits: readonly number[]): Machine {
  const processors = cpus();
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processor: `${processors.length} × ${processors[0]?.model.trim() ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    loads: loads.map(number),
    commits: commits.map(number),
  };
}

const loadNow = (): number => loadavg()[0] ?? Number.NaN;

function keep(options: BenchOptions, machine: Machine, measured: readonly Measured[]): void {
  const { rounds, seconds } = options;
  mkdirSync(join(TARGET, ".."), { recursive: true });
  writeFileSync(TARGET, `${JSON.stringify({ machine, rounds, seconds, figures: measured }, null, 2)}\n`);
}

async function compareStates(options: BenchOptions): Promise<number> {
  const states = await statesOf(options.compare);
  const slower: string[] = [];
  for await (const comparison of compare(states, options)) {
    for (let other = 1; other < states.length; other++) {
      const text = comparisonLine(states, comparison, other);
      console.log(text);
      if (ratioTo(comparison, other) > SLOWER) {
        slower.push(text);
      }
    }
  }
  console.log(slower.length === 0 ? "\nNothing became slower." : `\nBecame slower:\n${slower.join("\n")}`);
  return slower.length === 0 ? 0 : 1;
}

function comparisonLine(states: readonly State[], comparison: Comparison, other: number): string {
  const { name, unit, samples } = comparison;
  const [now, before] = [0, other].map((state) => `${number(median(samples[state] ?? []))} ${unit}`);
  const percent = (ratioTo(comparison, other) - 1) * 100;
  const change = `${percent < 0 ? "" : "+"}${percent.toFixed(0)} %`;
  return `${name.padEnd(56)} ${now?.padStart(12)} against ${before?.padStart(12)} of ${states[other]?.name}: ${change}`;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  // A comparison has a part of them, and one of its own.
  const unknown =
    options.compare.length > 0 ? undefined : options.rows?.find((id) => !ROWS.some((row) => row.id === id));
  if (unknown !== undefined) {
    throw new Error(`there is no row '${unknown}', only ${ROWS.map(({ id }) => id).join(", ")}`);
  }
  const uncompared =
    options.compare.length === 0 ? [] : (options.rows ?? []).filter((id) => !COMPARED.includes(id));
  if (uncompared.length > 0) {
    throw new Error(`nothing of ${uncompared.join(", ")} is compared, only of ${COMPARED.join(", ")}`);
  }
  if (process.env.BENCH_BUILD !== "no") {
    build();
  }
  if (options.compare.length > 0) {
    return compareStates(options);
  }
  const commit = options.full ? committedState() : null;
  const [load, commitBefore] = [loadNow(), await commitTime()];
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
  const machine = machineOf([load, loadNow()], [commitBefore, await commitTime()]);
  keep(options, machine, measured);
  if (commit !== null) {
    if (committedState() !== commit) {
      throw new Error(`the state is no longer that of ${commit}: nothing was written to the page`);
    }
    writeReport({ commit, rounds: options.rounds, seconds: options.seconds, machine }, measured);
  }
  const short = measured.filter(({ met }) => met === false);
  console.log(
    short.length === 0
      ? "\nEvery goal measured here is met."
      : `\nShort of their goals:\n${short.map(line).join("\n")}`,
  );
  return short.length === 0 ? 0 : 1;
}

runMain(main);
