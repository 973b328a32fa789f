import assert from "node:assert/strict";
import { join } from "node:path";
import { isListType, sourceProperty } from "../../../lib/shared/fields/field-spec";
import { expandFields } from "../../../scripts/build/expand-fields";
import { expandIncludes } from "../../../scripts/build/expand-includes";
import { FIELD_TABLES, SHARED_TABLES } from "../../../scripts/build/field-tables";
import { sourceText } from "../../support/locales/locale-files";

const ROOT = join(__dirname, "../../..");
const PLACES = ["message", "options", "advanced"];
const SMS = PLACES.map((place) => `  <!-- @fields sms-send ${place} -->`).join("\n");

const form = async (type: string): Promise<string> =>
  expandFields(ROOT, await expandIncludes(ROOT, sourceText(`nodes/${type}/${type}.html`) ?? ""));

const inputsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<input type="text" id="node-input-([\w-]+)">/g)].map(([, id = ""]) => id);

describe("form rows from the field tables", () => {
  for (const [type, table] of Object.entries(FIELD_TABLES)) {
    it(`of ${type} have an input for the value and one for the source of each field`, async () => {
      const html = await form(type);
      const inputs = inputsOf(html);
      for (const { name, type } of table) {
        const id = isListType(type) ? `${name}-from` : name;
        assert.equal(inputs.filter((input) => input === id).length, 1, name);
        assert.match(html, new RegExp(`<input type="hidden" id="node-input-${sourceProperty(name)}">`));
      }
    });
  }

  for (const type of ["sms-send", "whatsapp-send", "rcs-send"]) {
    it(`of ${type} have those of the delivery rules, with labels and hints that the nodes share`, async () => {
      const html = await form(type);
      for (const { name } of SHARED_TABLES.rules ?? []) {
        assert.equal(inputsOf(html).filter((input) => input === name).length, 1, name);
        const keys = `data-i18n="@messaging-service/node-red-messaging/messaging-account:editor.rules`;
        assert.ok(html.includes(`${keys}.field.${name}"`) && html.includes(`${keys}.hint.${name}"`), name);
      }
    });
  }

  it("stand in the order of the table, indented like the directive", async () => {
    const html = await expandFields(ROOT, SMS);
    const table = FIELD_TABLES["sms-send"] ?? [];
    const expected = PLACES.flatMap((place) => table.filter((spec) => (spec.place ?? "options") === place));
    const names = expected.map(({ name }) => name);
    assert.deepEqual(inputsOf(html), names);
    assert.ok(html.startsWith('  <div class="form-row">\n    <label for="node-input-recipientAddressList">'));
  });

  it("have the conditions of their fields, and the hints that the catalogue holds", async () => {
    const html = await form("media-transfer");
    const row = html.slice(html.lastIndexOf("<div", html.indexOf("node-input-path")));
    assert.match(row, /^<div class="form-row" data-when="kind=upload\|attachment from=file">/);
    assert.match(row.slice(0, row.indexOf("\n    </div>")), /data-i18n="media-transfer\.hint\.path"/);
  });

  it("have both ways of a field that other settings bring as well", async () => {
    const html = await form("whatsapp-send");
    const row = html.slice(html.lastIndexOf("<div", html.indexOf("node-input-templateName")));
    assert.match(
      row,
      /^<div class="form-row" data-when="kind=template or kind=text outsideWindow=template">/,
    );
  });

  it("have a list below the source where the dialog holds the field entry by entry", async () => {
    assert.match(await form("whatsapp-send"), /<ol id="node-input-localizableParams-list"><\/ol>/);
  });

  for (const [what, html, message] of [
    ["a field without a row", "<!-- @fields sms-send message -->", /0 rows for the field senderAddress/],
    ["a field with two rows", `${SMS}\n${SMS}`, /2 rows for the field recipientAddressList/],
    ["an unknown table", "<!-- @fields fax-send message -->", /@fields fax-send: no such table/],
    ["an unknown place", `${SMS}\n<!-- @fields sms-send footer -->`, /sms-send footer: no field/],
    ["a directive without a place", "<!-- @fields sms-send -->", /not of the form/],
  ] as const) {
    it(`fail the build for ${what}`, async () => {
      await assert.rejects(expandFields(ROOT, html), message);
    });
  }
});
