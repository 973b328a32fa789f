import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { readCancel } from "../../../../lib/runtime/send/read-cancel";
import { setLanguage } from "../../../../lib/texts/say";

const read = (cancel: unknown) => readCancel({ payload: "x", cancel } as unknown as NodeMessage);

describe("msg.cancel", () => {
  afterEach(() => setLanguage(() => "en-US"));

  it("is not there in most messages", () => {
    assert.equal(readCancel({ payload: "x" } as NodeMessage), null);
  });

  for (const value of [undefined, null, false, "", "  ", 0, Number.NaN]) {
    it(`lets a message be sent as ${JSON.stringify(value) ?? "undefined"}`, () =>
      assert.equal(read(value), null));
  }

  const rows: readonly (readonly [value: unknown, keys: readonly string[] | null])[] = [
    [true, null],
    ["order-7", ["order-7"]],
    [" order-7 ", ["order-7"]],
    [4711, ["4711"]],
    [
      ["a", 7, " b ", ""],
      ["a", "7", "b"],
    ],
    [[], []],
  ];
  for (const [value, keys] of rows) {
    it(`cancels ${JSON.stringify(keys)} as ${JSON.stringify(value)}`, () =>
      assert.deepEqual(read(value), { keys }));
  }

  for (const value of [{ id: "a" }, ["a", null], ["a", ["b"]], () => true, Number.POSITIVE_INFINITY]) {
    it(`is refused as ${JSON.stringify(value) ?? typeof value}`, () => {
      assert.throws(() => read(value), {
        code: "FIELD_INVALID",
        field: "cancel",
        message: /^msg\.cancel must be true, or /,
      });
      setLanguage(() => "de");
      assert.throws(() => read(value), { message: /^msg\.cancel muss true sein, / });
    });
  }
});
