import assert from "node:assert/strict";
import { fieldsOf } from "../../../../lib/shared/fields/field-spec";
import { WHATSAPP_FIELDS } from "../../../../lib/shared/fields/whatsapp-fields";

describe("the fields that a node has with its settings", () => {
  const rows: readonly (readonly [kind: string, outsideWindow: string | undefined, template: boolean])[] = [
    ["template", "send", true],
    ["template", undefined, true],
    ["text", "template", true],
    ["text", "reject", false],
    ["text", "send", false],
    ["text", undefined, false],
    ["media", "template", false],
    ["broadcast", "template", false],
  ];
  for (const [kind, outsideWindow, template] of rows) {
    it(`are ${template ? "" : "not "}those of a template for ${kind} with ${outsideWindow ?? "no choice"}`, () => {
      const names = fieldsOf(WHATSAPP_FIELDS, { kind, outsideWindow }).map(({ name }) => name);
      for (const name of ["templateName", "templateLocale", "localizableParams"]) {
        assert.equal(names.includes(name), template, name);
      }
      assert.equal(names.includes("content"), kind === "text");
    });
  }
});
