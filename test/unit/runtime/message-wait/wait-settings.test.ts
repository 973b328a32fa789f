import assert from "node:assert/strict";
import { readWaitSettings, type WaitConfig } from "../../../../lib/runtime/message-wait/wait-settings";
import { withInitialValues } from "../../../../lib/shared/fields/initial-values";
import { SetupError } from "../../../../lib/shared/messaging-error";

describe("settings of a node that waits", () => {
  for (const setting of ["words", "pattern"] as const) {
    it(`read ${setting} of replies only where replies are waited for`, () => {
      const match = setting === "words" ? "words" : "pattern";
      const config = (kind: string): WaitConfig =>
        withInitialValues<WaitConfig>("message-wait", { kind, match, [setting]: "${NOBODY_SET_THIS}" });
      for (const kind of ["delivered", "read"]) {
        assert.equal(readWaitSettings(config(kind)).kind, kind);
      }
      assert.throws(
        () => readWaitSettings(config("reply")),
        (error) => error instanceof SetupError && error.code === "UNRESOLVED_VARIABLE",
      );
    });
  }
});
