import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hasTests, runSuite, type Suite, type Totals } from "./test/run-suite";

/**
 * Builds, then runs the tests: all folders under `test/`, or those named as arguments. The run of all of them
 * also measures how much of lib/ the tests went through. `--full` gives tests that have a longer form the time for
 * it. The last line says `N passed, N failed`.
 */

const ROOT = join(__dirname, "..");
/**
 * Those of one lane run one after the other, the lanes side by side. The browser's tests take longest and run in both,
 * each for one Node-RED. Node-RED 5 is installed where it is missing, so it stays in one lane: two would get into each
 * other's way.
 */
const LANES: readonly (readonly Suite[])[] = [
  [{ folder: "unit" }, { folder: "node" }, { folder: "faults" }, { folder: "browser", nodeRed: 4 }],
  [{ folder: "e2e" }, { folder: "browser", nodeRed: 5 }],
];
const SUITES = [...new Set(LANES.flat().map(({ folder }) => folder))];
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

async function main(): Promise<number> {
  const asked = process.argv.slice(2).filter((word) => word !== "--full");
  const full = process.argv.includes("--full");
  const unknown = asked.filter((suite) => !SUITES.includes(suite));
  if (unknown.length > 0) {
    console.error(`no such tests: ${unknown.join(", ")}; there are ${SUITES.join(", ")}`);
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

  const totals: Totals[] = [];
  const runLane = async (suites: readonly Suite[]): Promise<void> => {
    for (const suite of suites) {
      if (hasTests(ROOT, suite.folder) && (everything || asked.includes(suite.folder))) {
        totals.push(await runSuite(ROOT, suite, { coverage: raw, full }));
      }
    }
  };
  await Promise.all(LANES.map(runLane));
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
