import { writeFileSync } from "node:fs";
import { type MochaOptions, reporters, type Runner } from "mocha";

/** Mocha's `spec` reporter, which also leaves its totals as JSON in the file that `TEST_TOTALS` names. */
export default class TotalsReporter extends reporters.Spec {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    runner.once("end", () => {
      const file = process.env.TEST_TOTALS;
      if (file) {
        const { passes, failures, pending } = this.stats;
        writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
      }
    });
  }
}
