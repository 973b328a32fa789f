import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NODE_RED_VERSIONS, nodeRedProgram } from "../test/support/node-red/node-red-versions";
import { installPackage } from "../test/support/node-red/packed-package";
import { hasTests, runSuite, type Suite, type SuiteResult } from "./test/run-suite";
import { timesTable } from "./test/times-table";

/**
 * Builds and runs the tests: all folders under `test/`, or those named as arguments. The run of all of them
 * also measures how much of lib/ the tests went through. `--full` gives tests that have a longer form the time for
 * it, and runs the browser tests in full on each Node-RED; `TEST_NODE_RED=4` leaves out the others. The last line says
 * `N passed, N failed`.
 */

const ROOT = join(__dirname, "..");
/** Those that take longest first; each starts as soon as fewer than `LANES` run. */
const SUITES: readonly Suite[] = [
  { folder: "browser", nodeRed: 5 },
  { folder: "e2e" },
  { folder: "cluster" },
  { folder: "browser", nodeRed: 4 },
  { folder: "crash" },
  { folder: "unit", sources: true },
  { folder: "node", sources: true },
  { folder: "faults", sources: true },
];
/** Two cores are busy with four, each of which often waits; more would get in the way of the clocks of tests. */
const LANES = 4;
const FOLDERS = [...new Set(SUITES.map(({ folder }) => folder))];
/** Percent of the lines of lib/ that the tests must reach. The editor's part runs in browsers and is not seen here. */
const LINES = 90;

/** Runs a script of a package in a process of its own, and says whether it ended well. */
function node(script: string, parameters: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(ROOT, "node_modules", script), ...parameters], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}

function coverageIsEnough(raw: string): Promise<boolean> {
  return node("c8/bin/c8.js", [
    "report",
    `--temp-directory=${raw}`,
    `--reports-dir=${join(ROOT, "coverage")}`,
    // Files that no test loads count as well.
    "--all",
    "--src=lib",
    "--include=lib/**/*.ts",
    "--exclude=lib/editor/**",
    "--reporter=text-summary",
    "--reporter=lcovonly",
    "--check-coverage",
    `--lines=${LINES}`,
    "--branches=0",
    "--functions=0",
    "--statements=0",
  ]);
}

interface Prepared {
  /** False where the build failed: nothing that needs it can run. */
  readonly built: boolean;
  /** Folder with the package installed; null where that failed, and each suite tries for itself and says why not. */
  readonly installed: string | null;
}

/** Builds, and installs once what several suites need: the package, and Node-RED 5 where it can be had. */
async function prepare(installs: boolean): Promise<Prepared> {
  if (!(await node("tsx/dist/cli.mjs", [join(ROOT, "scripts", "build.ts")]))) {
    console.log("the build failed");
    return { built: false, installed: null };
  }
  if (!installs) return { built: true, installed: null };
  const [installed] = await Promise.all([
    installPackage().catch(() => null),
    ...NODE_RED_VERSIONS.map(nodeRedProgram),
  ]);
  return { built: true, installed };
}

async function main(): Promise<number> {
  const asked = process.argv.slice(2).filter((word) => word !== "--full");
  const full = process.argv.includes("--full");
  const unknown = asked.filter((folder) => !FOLDERS.includes(folder));
  if (unknown.length > 0) {
    console.error(`no such tests: ${unknown.join(", ")}; there are ${FOLDERS.join(", ")}`);
    return 2;
  }
  const everything = asked.length === 0;
  const raw = everything ? join(ROOT, "coverage", "raw") : null;
  rmSync(join(ROOT, "coverage"), { recursive: true, force: true });
  mkdirSync(raw ?? join(ROOT, "coverage"), { recursive: true });

  const { TEST_NODE_RED: only = "" } = process.env;
  const waiting = SUITES.filter(
    ({ folder, nodeRed = only }) =>
      hasTests(ROOT, folder) &&
      (everything || asked.includes(folder)) &&
      (only === "" || String(nodeRed) === only),
  );
  let prepared: Prepared = { built: false, installed: null };
  const preparing = prepare(waiting.some(({ sources }) => !sources)).then((result) => {
    prepared = result;
  });
  /** The longest that can start now. */
  const next = (): Suite | undefined => {
    const at = waiting.findIndex(({ sources }) => sources || prepared.built);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  const results: SuiteResult[] = [];
  const runLane = async (): Promise<void> => {
    for (let suite = next(); suite; suite = next()) {
      const coverage = suite.sources ? raw : null;
      results.push(await runSuite(ROOT, suite, { coverage, installed: prepared.installed, full }));
    }
  };
  // One lane has work while the others wait for the build, and goes on with them after it.
  const early = runLane().then(() => preparing);
  const later = Array.from({ length: LANES - 1 }, () => preparing.then(runLane));
  await Promise.all([early.then(runLane), ...later]);
  const covered = raw === null || (await coverageIsEnough(raw));
  console.log(timesTable(results));
  // Once more at the end, where a reader of a long log looks first.
  for (const { name, failures } of results) {
    for (const failure of failures) console.log(`\n== failed in ${name}: ${failure}`);
  }
  const sum = (key: "passed" | "failed" | "skipped") => results.reduce((all, each) => all + each[key], 0);
  const failed = sum("failed") + (covered ? 0 : 1) + (prepared.built ? 0 : 1);
  if (!covered)
    console.log(`the tests reach fewer than ${LINES} % of the lines of lib/: counted as a failure`);
  if (sum("skipped") > 0) console.log(`${sum("skipped")} skipped, the reasons stand above`);
  console.log(`${sum("passed")} passed, ${failed} failed`);
  return failed === 0 && sum("passed") > 0 ? 0 : 1;
}

// The suites are in groups of their own, which a terminal does not end.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    console.log(`ended by ${signal}`);
    console.log("0 passed, 1 failed");
    process.exit(1);
  });
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    console.log("0 passed, 1 failed");
    process.exitCode = 1;
  },
);
