import { writeFileSync } from "node:fs";
import { processTreeTime } from "./processor-time";
import { relative } from "node:path";
import { type MochaOptions, reporters, type Runner, type Suite } from "mocha";

/** So long a process may go on after its tests, in ms. */
const LINGER_MS = 20_000;
/** Lines of a failure's error that are repeated at the end of the whole run. */
const ERROR_LINES = 25;

/** What the file that `TEST_TOTALS` names holds after a run. */
export interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed: the file, the full title, and the start of the error. */
  readonly failures: readonly string[];
  /** Milliseconds that each test file took, with its hooks, by its path in the repository. */
  readonly files: Readonly<Record<string, number>>;
  /** Milliseconds of processor time of each test file, with those of the processes that it used. */
  readonly processor: Readonly<Record<string, number>>;
}

/** A pipeline's log is for what failed; the titles of thousands of tests that passed would hide it. */
const BRIEF = process.env.CI === "true";
const Printing: typeof reporters.Base = BRIEF ? reporters.Base : reporters.Spec;

/**
 * Mocha's `spec` reporter, or in a pipeline (`CI=true`) its list of what failed alone, which also leaves a report as JSON in the
 * file that `TEST_TOTALS` names. Then it ends a process that does not end by itself, as a failure: a test left a timer or a
 * connection open.
 */
export default class TotalsReporter extends Printing {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    const files: Record<string, number> = {};
    const processor: Record<string, number> = {};
    let start = 0;
    let used = 0;
    const isTopmost = ({ parent }: Suite): boolean => parent?.root === true;
    runner.on("suite", (suite) => {
      if (!isTopmost(suite)) return;
      start = performance.now();
      used = processTreeTime();
    });
    runner.on("suite end", (suite) => {
      if (!isTopmost(suite)) return;
      const file = relative(process.cwd(), suite.file ?? "");
      files[file] = Math.round((files[file] ?? 0) + performance.now() - start);
      processor[file] = Math.round((processor[file] ?? 0) + processTreeTime() - used);
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
      const report: Report = { passed: passes, failed, skipped: pending, failures, files, processor };
      writeFileSync(file, JSON.stringify(report));
      setTimeout(() => {
        console.log(`the tests left open: ${process.getActiveResourcesInfo().join(", ")}`);
        process.exit(1);
      }, LINGER_MS).unref();
    });
  }
}
