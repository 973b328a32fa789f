import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fetchTools } from "../test/support/fetched-tools";
import { memoryFolder } from "../test/support/memory-folder";
import { NODE_RED_VERSIONS, nodeRedProgram } from "../test/support/node-red/node-red-versions";
import { installPackage } from "../test/support/node-red/packed-package";
import { startPostgresql } from "../test/support/store/postgresql-server";
import type { Report } from "../test/support/totals-reporter";

/**
 * Builds, then runs mocha in three lanes: the quick suites, with `--all` every suite, or the folders under `test/` that are named.
 * `--full` gives tests with a longer form the time for it, `TEST_NODE_RED=4` leaves out the other Node-RED.
 * The last line says `N passed, N failed`.
 */

const ROOT = join(__dirname, "..");
const REPORTS = join(ROOT, "reports", "tests");
const LANES = 3;
const LIMIT_MS = 125 * 60_000;
const GRACE_MS = 10_000;
/** A test file that takes longer says why in its first line. */
const SLOW_MS = 5_000;
/** Multiplies the product's database timeouts: a busy computer is no fault of a test. */
const TIMEOUT_FACTOR = "10";
/** Bytes of memory for the files of all lanes. */
const MEMORY = 4e9;

/** Files of tests that run in one process. */
interface Suite {
  readonly folder: string;
  readonly nodeRed?: number;
  /** Runs the packed package. */
  readonly packed?: true;
  /** Runs with `--all` only. */
  readonly late?: true;
  /** Needs a real disk, because it kills processes during commits. */
  readonly disk?: true;
  /** Every n-th file, from the first number on. */
  readonly part?: readonly [from: number, of: number];
}

const inParts = (of: number, suite: Suite): readonly Suite[] =>
  Array.from({ length: of }, (_, from) => ({ ...suite, part: [from, of] as const }));

/** Longest first; packed suites wait for the build. */
const SUITES: readonly Suite[] = [
  { folder: "chaos", packed: true, disk: true, late: true },
  { folder: "browser", nodeRed: 5, packed: true, late: true },
  { folder: "e2e", nodeRed: 5, packed: true, late: true },
  ...inParts(2, { folder: "browser", nodeRed: 4, packed: true }),
  { folder: "e2e", nodeRed: 4, packed: true },
  ...inParts(3, { folder: "node" }),
  ...inParts(4, { folder: "unit" }),
];

interface Result extends Report {
  readonly name: string;
  readonly ms: number;
}

const getName = ({ folder, nodeRed, part }: Suite): string =>
  [folder, nodeRed, part && part[0] + 1].filter((word) => word !== undefined).join("-");

/** Tests of a node are below `test/nodes/<type>/<folder>`. */
const getFolder = (file: string): string | undefined =>
  file.split(sep).find((part) => SUITES.some(({ folder }) => folder === part));

function listFiles({ folder, part: [from, of] = [0, 1] }: Suite): readonly string[] {
  return readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => /[.]test[.]tsx?$/.test(file) && getFolder(file) === folder)
    .sort()
    .filter((_file, at) => at % of === from)
    .map((file) => join("test", file));
}

/** Signals all processes of a group. @returns false if the group has ended */
function signal({ pid }: ChildProcess, name: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, name);
  } catch {
    return false;
  }
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) signal(child, "SIGKILL");
});

/** Waits until a process and those that it started have ended. @returns what went wrong, or null */
async function waitForEnd(child: ChildProcess): Promise<string | null> {
  running.add(child);
  const timer = setTimeout(() => signal(child, "SIGKILL"), LIMIT_MS);
  const fault = await new Promise<string | null>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("exit", (code, by) => resolve(code === 0 ? null : `ended with ${by ?? code}`));
  });
  clearTimeout(timer);
  for (const end = performance.now() + GRACE_MS; performance.now() < end && signal(child, 0); ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  running.delete(child);
  return signal(child, "SIGKILL") ? (fault ?? "left processes behind") : fault;
}

const readReport = (file: string): Report | null => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return null;
  }
};

/** Runs a suite and prints its output after its end. A run without a report counts as a failure. */
async function runSuite(suite: Suite, env: NodeJS.ProcessEnv): Promise<Result> {
  const name = getName(suite);
  const file = join(REPORTS, `${name}.json`);
  const start = performance.now();
  const mocha = join(ROOT, "node_modules", "mocha", "bin", "mocha.js");
  const child = spawn(
    process.execPath,
    [mocha, "--reporter", join(ROOT, "test/support/totals-reporter.ts"), ...listFiles(suite)],
    {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      env: {
        ...process.env,
        ...env,
        TEST_TOTALS: file,
        ...(suite.disk ? { TMPDIR: tmpdir() } : {}),
        ...(suite.nodeRed ? { TEST_NODE_RED: String(suite.nodeRed) } : {}),
      },
    },
  );
  const output: Buffer[] = [Buffer.from(`\n== test/${name}\n`)];
  child.stdout.on("data", (piece: Buffer) => output.push(piece));
  child.stderr.on("data", (piece: Buffer) => output.push(piece));
  const fault = await waitForEnd(child);
  const report = readReport(file) ?? { passed: 0, failed: 0, skipped: 0, failures: [], files: {} };
  process.stdout.write(Buffer.concat(output));
  const ms = performance.now() - start;
  if (report.failed > 0 || (fault === null && report.passed > 0)) return { ...report, name, ms };
  return { ...report, name, ms, failed: 1, failures: [`test/${name} ${fault ?? "ran no test"}`] };
}

/** Builds, and installs what packed suites need. @returns the variables that tell tests about it */
async function prepare(suites: readonly Suite[]): Promise<NodeJS.ProcessEnv> {
  const build = spawn(process.execPath, [...process.execArgv, join(ROOT, "scripts", "build.ts")], {
    stdio: "inherit",
    detached: true,
  });
  const fault = await waitForEnd(build);
  if (fault !== null) throw new Error(`the build ${fault}`);
  if (!suites.some(({ packed }) => packed)) return {};
  const versions = NODE_RED_VERSIONS.filter((version) => suites.some(({ nodeRed }) => nodeRed === version));
  const [installed] = await Promise.all([installPackage(), ...versions.map(nodeRedProgram)]);
  return { TEST_INSTALLED: installed };
}

function printTimes(results: readonly Result[]): void {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`.padStart(9);
  const rows = results.map(({ name, ms, passed, failed }) => ({ ms, text: `${name}: ${passed}, ${failed}` }));
  const files = results.flatMap(({ name, files }) =>
    Object.entries(files).map(([file, ms]) => ({ ms, text: `${file} (${name})` })),
  );
  console.log("\n== time of each suite: passed, failed; then of files that take long");
  for (const { ms, text } of [...rows, ...files.filter(({ ms }) => ms > SLOW_MS)].sort((a, b) => b.ms - a.ms))
    console.log(`${seconds(ms)}  ${text}`);
}

async function main(words: readonly string[]): Promise<number> {
  const folders = words.filter((word) => !word.startsWith("--"));
  const all = words.includes("--all");
  const { TEST_NODE_RED: only } = process.env;
  const waiting = SUITES.filter(
    ({ folder, late, nodeRed }) =>
      (folders.length === 0 ? all || !late : folders.includes(folder)) &&
      (!only || !nodeRed || String(nodeRed) === only),
  );
  if (waiting.length === 0) throw new Error(`there are no tests ${folders.join(", ")}`);
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  for (const line of await fetchTools()) console.log(line);
  const memory = memoryFolder("tests", MEMORY) ?? tmpdir();
  const postgresql = await startPostgresql({}, memory);
  const env: NodeJS.ProcessEnv = {
    TMPDIR: memory,
    TEST_PORTS: tmpdir(),
    MESSAGING_TIMEOUT_FACTOR: TIMEOUT_FACTOR,
    ...(postgresql ? { TEST_POSTGRESQL: String(postgresql.port) } : {}),
    ...(all ? { TEST_ALL: "1" } : {}),
    ...(words.includes("--full") ? { TEST_FULL: "1" } : {}),
  };
  const results: Result[] = [];
  let isPrepared = false;
  const prepared = prepare(waiting).then((more) => {
    Object.assign(env, more);
    isPrepared = true;
  });
  const runLane = async (): Promise<void> => {
    while (waiting.length > 0) {
      const at = waiting.findIndex(({ packed }) => isPrepared || !packed);
      if (at < 0) await prepared;
      else results.push(await runSuite(waiting.splice(at, 1)[0] as Suite, env));
    }
  };
  await Promise.all([prepared, ...Array.from({ length: LANES }, runLane)]);
  await postgresql?.remove();
  printTimes(results);
  for (const { name, failures } of results) {
    for (const failure of failures) console.log(`\n== failed in ${name}: ${failure}`);
  }
  const sum = (key: "passed" | "failed" | "skipped") => results.reduce((all, each) => all + each[key], 0);
  if (sum("skipped") > 0) console.log(`${sum("skipped")} tests were left out; the reasons are above`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") === 0 ? 0 : 1;
}

// Suites run in groups of their own, which a terminal does not end.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1));

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    console.log("0 passed, 1 failed");
    process.exit(1);
  },
);
