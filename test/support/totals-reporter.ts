import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { type MochaOptions, reporters, type Runner, type Suite } from "mocha";

/** ms that a process may run on after its tests. */
const LINGER_MS = 20_000;
const ERROR_LINES = 25;

/** Totals of a run. */
export interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** File, full title and start of the error. */
  readonly failures: readonly string[];
  /** ms by test file, hooks included. */
  readonly files: Readonly<Record<string, number>>;
}

/** A pipeline prints failures only. */
const BRIEF = process.env.CI === "true";
const Printing: typeof reporters.Base = BRIEF ? reporters.Base : reporters.Spec;

/**
 * Prints like mocha's `spec` and writes totals as JSON to the file in `TEST_TOTALS`. A process that does not end after its tests fails:
 * a test left a timer or a connection open.
 */
export default class TotalsReporter extends Printing {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    const files: Record<string, number> = {};
    let start = 0;
    const isTopmost = ({ parent }: Suite): boolean => parent?.root === true;
    runner.on("suite", (suite) => {
      if (isTopmost(suite)) start = performance.now();
    });
    runner.on("suite end", (suite) => {
      if (!isTopmost(suite)) return;
      const file = relative(process.cwd(), suite.file ?? "");
      files[file] = Math.round((files[file] ?? 0) + performance.now() - start);
    });
    const failures: string[] = [];
    runner.on("fail", (test, error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const start = text.split("\n").slice(0, ERROR_LINES).join("\n");
      failures.push(`${relative(process.cwd(), test.file ?? "")}: ${test.fullTitle()}\n${start}`);
    });
    runner.once("end", () => {
      if (BRIEF) this.epilogue();
      const file = process.env.TEST_TOTALS;
      if (!file) return;
      const { passes, failures: failed, pending } = this.stats;
      const report: Report = { passed: passes, failed, skipped: pending, failures, files };
      writeFileSync(file, JSON.stringify(report));
      setTimeout(() => {
        console.log(`the tests left open: ${process.getActiveResourcesInfo().join(", ")}`);
        process.exit(1);
      }, LINGER_MS).unref();
    });
  }
}
