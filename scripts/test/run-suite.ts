import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../../test/support/totals-reporter";
import { endOf } from "./end-of";

/** What one mocha run came to. */
export interface SuiteResult extends Report {
  readonly name: string;
  /** Milliseconds from its start to its end. */
  readonly ms: number;
}

/** Tests that run in one process. */
export interface Suite {
  /** Under `test/`. */
  readonly folder: string;
  /** The only Node-RED that they run on, of those that they are for; all without it. */
  readonly nodeRed?: number;
  /** They run the code of the repository; the others run the packed package, in processes of Node-RED's. */
  readonly sources?: true;
}

/** A run that hangs is ended: a pipeline must learn about it from the test, not from its own time limit. */
const LIMIT_MS = 30 * 60_000;
const FULL_LIMIT_MS = 40 * 60_000;

/** Whether there is anything to run under `test/<suite>`. */
export function hasTests(root: string, suite: string): boolean {
  const path = join(root, "test", suite);
  return (
    existsSync(path) &&
    readdirSync(path, { recursive: true, encoding: "utf8" }).some((file) => file.endsWith(".test.ts"))
  );
}

export interface SuiteOptions {
  /** Folder for V8's raw coverage; null measures none. */
  readonly coverage: string | null;
  /** Folder with the package installed; null where the suite installs it itself, or needs none. */
  readonly installed: string | null;
  /** Tests that have a longer form take it. */
  readonly full: boolean;
  /** ms after which the run is ended, instead of the usual limit. */
  readonly limit?: number;
}

const nameOf = ({ folder, nodeRed }: Suite): string =>
  nodeRed === undefined ? folder : `${folder}-${nodeRed}`;

/**
 * Runs the tests of one folder under `test/` in a process of their own, and prints what it said once it has ended, so
 * that several may run side by side. A run counts as one more failure when it ends without a report, ends badly in
 * spite of a clean one, takes too long, or leaves processes behind.
 */
export async function runSuite(
  root: string,
  suite: Suite,
  { coverage, installed, full, limit = full ? FULL_LIMIT_MS : LIMIT_MS }: SuiteOptions,
): Promise<SuiteResult> {
  const name = nameOf(suite);
  const file = join(root, "coverage", `${name}.json`);
  rmSync(file, { force: true });
  const start = performance.now();
  const mocha = spawn(
    process.execPath,
    [
      join(root, "node_modules", "mocha", "bin", "mocha.js"),
      "--reporter",
      join(root, "test", "support", "totals-reporter.ts"),
      `test/${suite.folder}/**/*.test.ts`,
    ],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: mocha starts itself once more, and all of it is to end.
      detached: true,
      env: {
        ...process.env,
        TEST_TOTALS: file,
        ...(full ? { TEST_FULL: "1" } : {}),
        ...(suite.nodeRed === undefined ? {} : { TEST_NODE_RED: String(suite.nodeRed) }),
        ...(coverage === null ? {} : { NODE_V8_COVERAGE: coverage }),
        ...(installed === null ? {} : { TEST_INSTALLED: installed }),
      },
    },
  );
  const said: Buffer[] = [Buffer.from(`\n== test/${name}\n`)];
  mocha.stdout.on("data", (piece: Buffer) => said.push(piece));
  mocha.stderr.on("data", (piece: Buffer) => said.push(piece));
  const fault = await endOf(mocha, limit);
  const report = readReport(file);
  const reason = fault ?? (report === null ? "ended without a report" : null);
  if (reason !== null) said.push(Buffer.from(`test/${name} ${reason}\n`));
  process.stdout.write(Buffer.concat(said));
  const totals = report ?? { passed: 0, failed: 0, skipped: 0, failures: [], files: {} };
  const failed = reason !== null && totals.failed === 0 ? 1 : totals.failed;
  const failures = reason === null ? totals.failures : [...totals.failures, `test/${name} ${reason}`];
  return { ...totals, failed, failures, name, ms: performance.now() - start };
}

/** Null as well where a run was ended while it wrote. */
function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return null;
  }
}
