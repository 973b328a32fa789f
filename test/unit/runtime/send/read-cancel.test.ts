import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { readCancel } from "../../../../lib/runtime/send/read-cancel";

const read = (cancel: unknown) => readCancel({ payload: "x", cancel } as unknown as NodeMessage);

describe("msg.cancel", () => {
  it("cancels all or the named messages, and sends a message when it is blank", () => {
    for (const value of [undefined, null, false, "", "  ", 0, Number.NaN]) assert.equal(read(value), null);
    for (const [value, keys] of [
      [true, null],
      [" order-7 ", ["order-7"]],
      [4711, ["4711"]],
      [
        ["a", 7, " b ", ""],
        ["a", "7", "b"],
      ],
      [[], []],
    ] as const) {
      assert.deepEqual(read(value), { keys });
    }
  });

  it("refuses a value that names no message", () => {
    for (const value of [{ id: "a" }, ["a", null], ["a", ["b"]], () => true, Number.POSITIVE_INFINITY]) {
      assert.throws(() => read(value), { code: "FIELD_INVALID", field: "cancel" });
    }
  });
});
