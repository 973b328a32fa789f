import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../../test/support/totals-reporter";
import { endOf } from "./end-of";
import { nameOf, type Suite } from "./suites";

/** What one mocha run came to. */
export interface SuiteResult extends Report {
  readonly name: string;
  /** Milliseconds from its start to its end. */
  readonly ms: number;
}

/** A run that hangs is ended: a pipeline must learn about it from the test, not from its own time limit. */
const LIMIT_MS = 30 * 60_000;
const FULL_LIMIT_MS = 125 * 60_000;

/** The test files of a suite, by their paths in the repository. */
export function filesOf(root: string, { folder, part: [from, of] = [0, 1] }: Suite): readonly string[] {
  return readdirSync(join(root, "test", folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .sort()
    .filter((_file, at) => at % of === from)
    .map((file) => join("test", folder, file));
}

export interface SuiteOptions {
  /** Folder for V8's raw coverage; null measures none. */
  readonly coverage: string | null;
  /** Variables that tell the tests what they find prepared. */
  readonly env: Readonly<Record<string, string>>;
  /** Where tests that need no disk put their files; null: where all others do. */
  readonly memory: string | null;
  /** Tests that have a longer form take it. */
  readonly full: boolean;
  /** ms after which the run is ended, instead of the usual limit. */
  readonly limit?: number;
}

/**
 * Runs a suite in a process of its own, and prints what it said once it has ended, so that several may run side by side. A run counts
 * as one more failure when it ends without a report, ends badly in spite of a clean one, takes too long, or leaves processes behind.
 */
export async function runSuite(
  root: string,
  suite: Suite,
  { coverage, env, memory, full, limit = full ? FULL_LIMIT_MS : LIMIT_MS }: SuiteOptions,
): Promise<SuiteResult> {
  const name = nameOf(suite);
  const file = join(root, "coverage", `${name}.json`);
  rmSync(file, { force: true });
  const start = performance.now();
  const mocha = spawn(
    process.execPath,
    [
      ...process.execArgv,
      join(root, "node_modules", "mocha", "bin", "mocha.js"),
      "--reporter",
      join(root, "test", "support", "totals-reporter.ts"),
      ...filesOf(root, suite),
    ],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: mocha starts itself once more, and all of it is to end.
      detached: true,
      env: {
        ...process.env,
        ...env,
        TEST_TOTALS: file,
        ...(memory === null || suite.disk ? {} : { TMPDIR: memory }),
        ...(full ? { TEST_FULL: "1" } : {}),
        ...(suite.nodeRed === undefined ? {} : { TEST_NODE_RED: String(suite.nodeRed) }),
        ...(coverage === null ? {} : { NODE_V8_COVERAGE: coverage }),
      },
    },
  );
  const said: Buffer[] = [Buffer.from(`\n== test/${name}: where one fails, ${suite.tells}\n`)];
  mocha.stdout.on("data", (piece: Buffer) => said.push(piece));
  mocha.stderr.on("data", (piece: Buffer) => said.push(piece));
  const fault = await endOf(mocha, limit);
  const report = readReport(file);
  const reason = fault ?? (report === null ? "ended without a report" : null);
  if (reason !== null) said.push(Buffer.from(`test/${name} ${reason}\n`));
  process.stdout.write(Buffer.concat(said));
  const totals = report ?? { passed: 0, failed: 0, skipped: 0, failures: [], files: {}, processor: {} };
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
