import assert from "node:assert/strict";
import type { SendResult } from "../../../../lib/runtime/channels/send-result";
import { CloseReport } from "../../../../lib/runtime/send/close-report";
import type { Outcome } from "../../../../lib/shared/outcomes";

describe("CloseReport", () => {
  const result = (outcome: Outcome, recipients: readonly string[], clientMessageId = "some-id"): SendResult =>
    ({ outcome, recipients, clientMessageId }) as unknown as SendResult;
  const linesOf = (...results: readonly SendResult[]): string[] => {
    const report = new CloseReport("stopped", "Reminder");
    for (const each of results) {
      report.add(each);
    }
    return report.lines();
  };

  it("counts people and gives their masked numbers, each once, but no ids", () => {
    const lines = linesOf(
      result("retry-later", ["41790000001", "41790000002"]),
      result("retry-later", ["41790000001"]),
      result("sent", ["41790000003"]),
    );
    assert.match(
      lines[0] ?? "",
      /^People not sent to: 3 \(\+4179…001, \+4179…002\)\. The flows were stopped/,
    );
    assert.match(lines[1] ?? "", /^People whose message the service accepted: 1 \(\+4179…003\)\./);
    assert.doesNotMatch(lines.join(), /some-id|41790000/);
  });
});
