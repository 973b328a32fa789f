import assert from "node:assert/strict";
import { numbersOf, previewTemplate } from "../../../../nodes/whatsapp-send/editor/template-preview";
import type { ListEntry } from "../../../../lib/shared/fields/field-spec";

const str = (value: string): ListEntry => ({ source: "str", value });

describe("previewTemplate", () => {
  it("fills in the values by their numbers, in any order", () => {
    const values = [str("Ann"), str("Bob")];
    const { parts, missing, unused, exact } = previewTemplate("{{2}}, {{1}} and {{ 2 }}.", values);
    assert.equal(parts.map((part) => ("text" in part ? part.text : "?")).join(""), "Bob, Ann and Bob.");
    assert.deepEqual([missing, unused, exact], [[], [], true]);
  });

  it("names missing and unused values", () => {
    const preview = previewTemplate("{{1}} {{4}} {{3}}", [str("a"), str("b"), str("")]);
    assert.deepEqual([preview.missing, preview.unused, preview.exact], [[3, 4], [2], false]);
    assert.deepEqual(preview.parts.at(-1), { type: "missing", n: 3 });
  });

  it("marks values from messages, and counts the rest", () => {
    const entry: ListEntry = { source: "msg", value: "name" };
    const preview = previewTemplate("Hi {{1}}!", [entry]);
    assert.deepEqual(preview.parts, [
      { type: "text", text: "Hi " },
      { type: "open", entry, n: 1 },
      { type: "text", text: "!" },
    ]);
    assert.deepEqual([preview.count, preview.exact, preview.missing], [4, false, []]);
  });

  it("reports no missing value if a message contains the whole list", () => {
    const preview = previewTemplate("{{1}}{{9}}", null);
    assert.deepEqual([preview.missing, preview.unused, preview.exact], [[], [], false]);
    assert.equal(preview.parts.length, 2);
  });

  it("accepts only numbers from 1 as placeholders, and does not expand values", () => {
    assert.deepEqual(numbersOf("{{0}} {{01}} {1} {{name}} {{12}}"), [12]);
    const { parts } = previewTemplate("{{1}}", [str("{{2}}")]);
    assert.deepEqual(parts, [{ type: "value", text: "{{2}}", n: 1 }]);
  });
});
