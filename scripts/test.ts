import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserMissing } from "../test/support/editor/editor";
import { NODE_RED_VERSIONS, nodeRedProgram } from "../test/support/node-red/node-red-versions";
import { memoryFolder } from "../test/support/memory-folder";
import { installPackage } from "../test/support/node-red/packed-package";
import { postgresqlMissing, startPostgresql } from "../test/support/store/postgresql-server";
import { filesOf, runSuite, type SuiteResult } from "./test/run-suite";
import { FOLDERS, SUITES, type Suite } from "./test/suites";
import { timesTable } from "./test/times-table";

/**
 * Builds and runs tests: without words what proves each promise once, with `--all` everything (`scripts/test/suites.ts` has the table), or the
 * folders under `test/` that are named. A run of all also measures how much of lib/ the tests went through. `--full` gives tests that have
 * a longer form the time for it, and runs the browser tests in full on each Node-RED; `TEST_NODE_RED=4` leaves out the others. The last
 * line says `N passed, N failed`.
 */

const ROOT = join(__dirname, "..");
/** Each often waits: two cores are busy with ten. */
const LANES = 10;
/** Those that have work while the others wait for the build. */
const EARLY = 2;
/** Bytes: the tests that run at the same time have put up to one GB into their files. */
const ROOM = 4e9;
/** Percent of the lines of lib/ that the tests must reach. The editor's part runs in browsers and is not seen here. */
const LINES = 90;

/** Runs a script in a process of its own, and says whether it ended well. */
function node(script: string, parameters: readonly string[] = []): Promise<boolean> {
  const child = spawn(process.execPath, [...process.execArgv, join(ROOT, script), ...parameters], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}

function coverageIsEnough(raw: string): Promise<boolean> {
  return node("node_modules/c8/bin/c8.js", [
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

/** Builds, and installs once what several suites need: the package, and each Node-RED that they run on. */
async function prepare(suites: readonly Suite[]): Promise<{ built: boolean; installed: string | null }> {
  if (!(await node("scripts/build.ts"))) {
    console.log("the build failed");
    return { built: false, installed: null };
  }
  const packed = suites.filter(({ sources }) => !sources);
  if (packed.length === 0) return { built: true, installed: null };
  const versions = NODE_RED_VERSIONS.filter((version) =>
    packed.some(({ nodeRed = version }) => nodeRed === version),
  );
  const [installed] = await Promise.all([
    // Each suite tries for itself then, and says why not.
    installPackage().catch(() => null),
    ...versions.map(nodeRedProgram),
  ]);
  return { built: true, installed };
}

/** What this computer lacks for some of the tests, in a line each. */
const missing = (): readonly string[] =>
  [browserMissing(), postgresqlMissing()].filter((line) => line !== null);

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const [all, full] = [words.includes("--all"), words.includes("--full")];
  const asked = words.filter((word) => !word.startsWith("--"));
  const unknown = asked.filter((folder) => !FOLDERS.includes(folder));
  if (unknown.length > 0) {
    console.error(`no such tests: ${unknown.join(", ")}; there are ${FOLDERS.join(", ")}`);
    return 2;
  }
  const { TEST_NODE_RED: only = "" } = process.env;
  const waiting = SUITES.filter(
    (suite) =>
      filesOf(ROOT, suite).length > 0 &&
      (asked.length === 0 ? all || suite.quick === true : asked.includes(suite.folder)) &&
      (only === "" || String(suite.nodeRed ?? only) === only),
  );
  for (const line of missing()) console.log(`some tests will be left out: ${line}`);
  const raw = all && asked.length === 0 ? join(ROOT, "coverage", "raw") : null;
  rmSync(join(ROOT, "coverage"), { recursive: true, force: true });
  mkdirSync(raw ?? join(ROOT, "coverage"), { recursive: true });

  const memory = memoryFolder("tests", ROOM);
  const folder = memory ?? tmpdir();
  const postgresql = postgresqlMissing() === null ? await startPostgresql({}, folder) : null;
  const env: Record<string, string> = {
    TEST_PORTS: tmpdir(),
    ...(postgresql ? { TEST_POSTGRESQL: String(postgresql.port) } : {}),
  };
  let built = false;
  const preparing = prepare(waiting).then((prepared) => {
    built = prepared.built;
    if (prepared.installed !== null) env.TEST_INSTALLED = prepared.installed;
  });
  /** The longest that can start now. */
  const next = (): Suite | undefined => {
    const at = waiting.findIndex(({ sources }) => sources || built);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  const results: SuiteResult[] = [];
  const runLane = async (): Promise<void> => {
    for (let suite = next(); suite; suite = next()) {
      results.push(await runSuite(ROOT, suite, { coverage: suite.sources ? raw : null, env, memory, full }));
    }
  };
  const early = Array.from({ length: EARLY }, () =>
    runLane()
      .then(() => preparing)
      .then(runLane),
  );
  const later = Array.from({ length: LANES - EARLY }, () => preparing.then(runLane));
  await Promise.all([...early, ...later]);
  await postgresql?.remove();
  const covered = raw === null || (await coverageIsEnough(raw));
  console.log(timesTable(results));
  // Once more at the end, where a reader of a long log looks first.
  for (const { name, failures } of results) {
    for (const failure of failures) console.log(`\n== failed in ${name}: ${failure}`);
  }
  const sum = (key: "passed" | "failed" | "skipped") => results.reduce((all, each) => all + each[key], 0);
  const failed = sum("failed") + (covered ? 0 : 1) + (built ? 0 : 1);
  if (!covered)
    console.log(`the tests reach fewer than ${LINES} % of the lines of lib/: counted as a failure`);
  if (sum("skipped") > 0) {
    const reasons = missing();
    console.log(
      `${sum("skipped")} tests were left out${reasons.length > 0 ? `: ${reasons.join("; ")}` : ", the reasons stand above"}`,
    );
  }
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
