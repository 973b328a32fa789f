import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import { addPaletteWords } from "../../../../lib/editor/dialog/palette";

describe("words of the palette", () => {
  let label = "";

  beforeEach(() => {
    label = "RCS";
    const entry = {
      attr: (_name: string, change: (at: number, value: string) => string) => (label = change(0, label)),
    };
    Object.assign(globalThis, { $: () => entry });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, "$");
  });

  for (const typed of ["messaging", "nachrichten", "karussell", "rcs"]) {
    it(`find a node by ${typed}`, () => {
      addPaletteWords("rcs-send");
      assert.ok(label.toLowerCase().includes(typed), label);
    });
  }
});
