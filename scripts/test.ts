import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NODE_RED_VERSIONS, nodeRedProgram } from "../test/support/node-red/node-red-versions";
import { installPackage } from "../test/support/node-red/packed-package";
import { hasTests, runSuite, type Suite, type Totals } from "./test/run-suite";

/**
 * Builds, then runs the tests: all folders under `test/`, or those named as arguments. The run of all of them
 * also measures how much of lib/ the tests went through. `--full` gives tests that have a longer form the time for
 * it. The last line says `N passed, N failed`.
 */

const ROOT = join(__dirname, "..");
/** Those that take longest first; each starts as soon as fewer than `LANES` run. */
const SUITES: readonly Suite[] = [
  { folder: "browser", nodeRed: 5 },
  { folder: "browser", nodeRed: 4 },
  { folder: "e2e" },
  { folder: "unit", sources: true },
  { folder: "node", sources: true },
  { folder: "faults", sources: true },
];
/** Two cores are busy with three: each of them often waits. */
const LANES = 3;
const FOLDERS = [...new Set(SUITES.map(({ folder }) => folder))];
/** Percent of the lines of lib/ that the tests must reach. The editor's part runs in browsers and is not seen here. */
const LINES = 90;

function node(script: string, parameters: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, [join(ROOT, "node_modules", script), ...parameters], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return status === 0;
}

function coverageIsEnough(raw: string): boolean {
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

/**
 * Installs once what several suites need: the package, and Node-RED 5 where it can be had. Gives the package's folder,
 * or null where that failed; then each suite tries for itself and says why not.
 */
async function prepareNodeRed(): Promise<string | null> {
  const [installed] = await Promise.all([
    installPackage().catch(() => null),
    ...NODE_RED_VERSIONS.map(nodeRedProgram),
  ]);
  return installed;
}

async function main(): Promise<number> {
  const asked = process.argv.slice(2).filter((word) => word !== "--full");
  const full = process.argv.includes("--full");
  const unknown = asked.filter((folder) => !FOLDERS.includes(folder));
  if (unknown.length > 0) {
    console.error(`no such tests: ${unknown.join(", ")}; there are ${FOLDERS.join(", ")}`);
    return 2;
  }
  if (!node("tsx/dist/cli.mjs", [join(ROOT, "scripts", "build.ts")])) {
    console.log("the build failed");
    console.log("0 passed, 1 failed");
    return 1;
  }
  const everything = asked.length === 0;
  const raw = everything ? join(ROOT, "coverage", "raw") : null;
  rmSync(join(ROOT, "coverage"), { recursive: true, force: true });
  mkdirSync(raw ?? join(ROOT, "coverage"), { recursive: true });

  const waiting = SUITES.filter(
    ({ folder }) => hasTests(ROOT, folder) && (everything || asked.includes(folder)),
  );
  const installed = waiting.some(({ sources }) => !sources) ? await prepareNodeRed() : null;
  const totals: Totals[] = [];
  const runLane = async (): Promise<void> => {
    for (let suite = waiting.shift(); suite; suite = waiting.shift()) {
      totals.push(await runSuite(ROOT, suite, { coverage: suite.sources ? raw : null, installed, full }));
    }
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  const sum = (key: keyof Totals) => totals.reduce((all, each) => all + each[key], 0);
  const covered = raw === null || coverageIsEnough(raw);
  const failed = sum("failed") + (covered ? 0 : 1);
  if (!covered)
    console.log(`the tests reach fewer than ${LINES} % of the lines of lib/: counted as a failure`);
  if (sum("skipped") > 0) console.log(`${sum("skipped")} skipped, the reasons stand above`);
  console.log(`${sum("passed")} passed, ${failed} failed`);
  return failed === 0 && sum("passed") > 0 ? 0 : 1;
}

// The suites are in groups of their own, which a terminal does not end.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => process.exit(1));
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
