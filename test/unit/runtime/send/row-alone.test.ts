import assert from "node:assert/strict";
import { RowsSender } from "../../../../lib/runtime/send/rows/rows-sender";
import type { Remainder } from "../../../../lib/runtime/send/remainder";
import type { Send } from "../../../../lib/runtime/send/result-outlet";
import type { SendContext } from "../../../../lib/runtime/send/send-context";

describe("a message that is a row without its list", () => {
  const rows = new RowsSender({ setup: { rowName: "name" } } as unknown as SendContext, () => {});

  it("leaves as what is left of it, at its place, and knows its name", () => {
    const sent: unknown[] = [];
    const remainder = { clientMessageId: "c1" } as unknown as Remainder;
    const send: Send = Object.assign((messages: unknown) => void sent.push(messages), { remainder, row: 3 });
    const named = rows.named({ number: "+41791234567", name: "Ada" }, send);
    assert.deepEqual([named.remainder, named.row, named.person], [remainder, 3, "Ada"]);
    named([null]);
    assert.deepEqual(sent, [[null]]);
  });
});
