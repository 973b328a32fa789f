import assert from "node:assert/strict";
import { blockVerdictOf } from "../../../../lib/runtime/guards/block-verdict-of";

const zone = "Europe/Zurich";
const at = Date.parse("2026-11-22T15:44:00Z");
const numbers = ["41790000001", "41790000002", "41790000003", "41790000004", "41790000005", "41790000006"];

describe("blockVerdictOf", () => {
  it("names at most five numbers, masked, of those that a rule blocks", () => {
    const { statusMessage } = blockVerdictOf({ fault: "OPTED_OUT", numbers });
    assert.match(
      statusMessage,
      /\(\+4179…001; \+4179…002; \+4179…003; \+4179…004; \+4179…005; and 1 more\)$/,
    );
    const uses = numbers.map((number) => ({ number, at, outcome: "sent" as const }));
    const used = blockVerdictOf({ fault: "ALREADY_SENT", zone, uses: [...uses, ...uses] }).statusMessage;
    assert.match(used, /\+4179…001: sent Nov 22, 2026, 16:44 GMT\+1;.*; and 7 more\)$/);
    assert.ok(!used.includes("41790000001"));
  });
});
