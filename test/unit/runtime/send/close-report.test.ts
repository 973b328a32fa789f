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

  it("gives ten numbers of a long list, and how many more people there are", () => {
    const people = Array.from({ length: 2_404 }, (_none, at) => `41790000${String(at).padStart(4, "0")}`);
    const [line = ""] = linesOf(result("unknown", people));
    assert.match(line, /^People for whom .*: 2,404 \(\+4179…000, .*, \+4179…009 and [\d,]+ more\)\./);
    assert.equal(line.match(/…/g)?.length, 10);
  });

  it("counts what is for nobody as messages", () => {
    assert.match(linesOf(result("unknown", []))[0] ?? "", /^Messages with unknown outcome: 1\. /);
  });
});
