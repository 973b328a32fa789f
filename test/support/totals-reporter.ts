import { writeFileSync } from "node:fs";
import { type MochaOptions, reporters, type Runner } from "mocha";

/** So long a process may go on after its tests, in ms. */
const LINGER_MS = 20_000;

/**
 * Mocha's `spec` reporter, which also leaves its totals as JSON in the file that `TEST_TOTALS` names. Then it ends a
 * process that does not end by itself, as a failure: a test left a timer or a connection open.
 */
export default class TotalsReporter extends reporters.Spec {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    runner.once("end", () => {
      const file = process.env.TEST_TOTALS;
      if (!file) return;
      const { passes, failures, pending } = this.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
      setTimeout(() => {
        console.log(`the tests left open: ${process.getActiveResourcesInfo().join(", ")}`);
        process.exit(1);
      }, LINGER_MS).unref();
    });
  }
}
