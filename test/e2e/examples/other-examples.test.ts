// Slow: some examples wait for seconds, as the flows that people import do.
import assert from "node:assert/strict";
import { allExamples } from "../../support/examples";
import type { ExampleCheck } from "../../support/node-red/example-run";
import { onEachNodeRed } from "../../support/node-red/on-each-node-red";
import { ACCOUNT_CHECKS } from "./account-examples";
import { checkExample } from "./check-example";
import { checkLogin } from "./login-example";
import { RECEIVING_CHECKS } from "./receiving-examples";
import { SENDING_CHECKS } from "./sending-examples";
import { checkEscalation, WAITING_CHECKS } from "./waiting-examples";

const CHECKS: Readonly<Record<string, ExampleCheck>> = {
  ...SENDING_CHECKS,
  ...RECEIVING_CHECKS,
  ...WAITING_CHECKS,
  ...ACCOUNT_CHECKS,
  "20 - On-call escalation": checkEscalation,
  "21 - Login by one-time code": checkLogin,
};
/** Those of `examples.test.ts`, and of `test/browser/dashboard.test.ts`. */
const ELSEWHERE: readonly string[] = ["01", "14", "16", "18", "22", "27"];

// Only `npm run test:all` runs them.
if (process.env.TEST_ALL === "1") {
  onEachNodeRed("other examples", (bench) => {
    it("have a check each", () => {
      const checked = [...Object.keys(CHECKS).map((name) => name.slice(0, 2)), ...ELSEWHERE];
      assert.deepEqual(
        checked.sort(),
        allExamples().map(({ name }) => name.slice(0, 2)),
      );
    });

    for (const [name, check] of Object.entries(CHECKS)) {
      it(`run right after import: ${name}`, () => checkExample(bench, name, check));
    }
  });
}
