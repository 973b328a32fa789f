import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../test/support/node-red/packed-package";
import { bound, type Measured, number } from "./measured";

const PAGE = join(ROOT, "docs", "benchmarks.md");
const MARKED = /<!-- figures -->[\s\S]*<!-- end of figures -->/;

/** What the figures were measured on. */
export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly processor: string;
  readonly memory: string;
  /** Load of one minute, before and after. */
  readonly loads: readonly string[];
  /** ms of a commit of the disk, before and after. */
  readonly commits: readonly string[];
}

/** One run of one state. */
export interface Run {
  readonly commit: string;
  readonly rounds: number;
  /** Length of a sample. */
  readonly seconds: number;
  readonly machine: Machine;
}

/** Lowest and highest of the rounds. */
const spread = (rounds: readonly number[]): string =>
  rounds.length < 2 ? "" : `${number(Math.min(...rounds))} to ${number(Math.max(...rounds))}`;

function table(measured: readonly Measured[], goals: boolean): string {
  const rows = measured.map(({ situation, name, value, unit, rounds = [], goal, met }) =>
    [
      situation,
      name,
      `${number(value)} ${unit}`.trim(),
      spread(rounds),
      ...(goals ? [goal === null ? "" : bound(goal), met === true ? "met" : "**short**"] : []),
    ].join(" | "),
  );
  const head = ["situation | figure | median | lowest to highest", "---|---|--:|--:"];
  const more = goals ? [" | goal | ", "|--:|---"] : ["", ""];
  return [...head.map((line, at) => `${line}${more[at]}`), ...rows].map((row) => `| ${row} |`).join("\n");
}

/** Puts the figures into their page, between its two marks; the words around them are written by hand. */
export function writeReport({ commit, rounds, seconds, machine }: Run, measured: readonly Measured[]): void {
  const { node, platform, processor, memory, loads, commits } = machine;
  const text = [
    "<!-- figures -->",
    `One run of commit ${commit}: ${rounds} rounds, samples of ${seconds} s. Node.js ${node}, ${platform}, ${processor}, ${memory}.`,
    `Load of the machine before and after: ${loads.join(" and ")}. A commit of its disk: ${commits.join(" and ")} ms.`,
    "",
    "### Goals",
    "",
    table(
      measured.filter(({ goal }) => goal !== null),
      true,
    ),
    "",
    "### Everything else",
    "",
    table(
      measured.filter(({ goal }) => goal === null),
      false,
    ),
    "<!-- end of figures -->",
  ].join("\n");
  writeFileSync(
    PAGE,
    readFileSync(PAGE, "utf8").replace(MARKED, () => text),
  );
}
