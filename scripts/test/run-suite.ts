import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What one mocha run came to. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
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
const LIMIT_MS = 15 * 60_000;
const FULL_LIMIT_MS = 40 * 60_000;

/** Whether a folder under `test/` holds any test. */
export function hasTests(root: string, folder: string): boolean {
  const path = join(root, "test", folder);
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
}

const nameOf = ({ folder, nodeRed }: Suite): string =>
  nodeRed === undefined ? folder : `${folder}-${nodeRed}`;

/**
 * Runs the tests of one folder under `test/` in a process of their own, and prints what it said once it has ended, so
 * that two may run side by side. A run that ends without a report, or in spite of a clean one ends badly, counts as one
 * more failure.
 */
export async function runSuite(
  root: string,
  suite: Suite,
  { coverage, installed, full }: SuiteOptions,
): Promise<Totals> {
  const name = nameOf(suite);
  const report = join(root, "coverage", `${name}.json`);
  rmSync(report, { force: true });
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
      // A group of its own: mocha starts itself once more, and both are to end.
      detached: true,
      env: {
        ...process.env,
        TEST_TOTALS: report,
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
  const code = await ended(mocha, name, full ? FULL_LIMIT_MS : LIMIT_MS);
  process.stdout.write(Buffer.concat(said));
  const totals: Totals = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : { passed: 0, failed: 0, skipped: 0 };
  return totals.failed === 0 && code !== 0 ? { ...totals, failed: 1 } : totals;
}

function ended(child: ReturnType<typeof spawn>, suite: string, limitMs: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      console.error(`test/${suite} did not end within ${limitMs / 60_000} minutes and was stopped`);
      kill("SIGTERM");
      setTimeout(() => kill("SIGKILL"), 10_000).unref();
    }, limitMs);
    const kill = (signal: NodeJS.Signals): void => {
      try {
        process.kill(-(child.pid as number), signal);
      } catch {
        // All of them have ended.
      }
    };
    // Ended by hand, the tests go along.
    const interrupted = (): void => kill("SIGTERM");
    process.once("exit", interrupted);
    child.once("error", reject);
    child.once("close", (code) => {
      process.off("exit", interrupted);
      clearTimeout(limit);
      resolve(code);
    });
  });
}
