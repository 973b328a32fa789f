import assert from "node:assert/strict";
import type { FieldSpec, ListEntry } from "../../../../lib/shared/fields/field-spec";
import { provideTextLibrary } from "../../../../lib/editor/personal-text/provide-text-library";
import { WHATSAPP_FIELDS } from "../../../../lib/shared/fields/whatsapp-fields";

/** Code of dialogs, with types that only a browser has. */
const MODULE: string = "../../../../lib/editor/inputs/list-fault";
interface ListFault {
  findEntryFault(spec: FieldSpec, entry: ListEntry, fills?: boolean): string | null;
  findListFault(spec: FieldSpec, entries: readonly ListEntry[], fills?: boolean): string | null;
}

/** What the dialog says of placeholders: the same as the runtime, which `whatsapp-send/placeholders` shows. */
describe("editor: placeholders of a template", () => {
  const spec = WHATSAPP_FIELDS.find(({ type }) => type === "placeholders");
  const holder = globalThis as { RED?: unknown };
  const saved = holder.RED;
  let dialog: ListFault;
  before(() => {
    dialog = require(MODULE) as ListFault;
    holder.RED = {
      _: (key: string, values: object = {}) => [key.split(".").at(-1), ...Object.values(values)].join(" "),
      i18n: { lang: () => "en-US" },
      utils: { validateTypedProperty: () => true },
    };
  });
  after(() => {
    holder.RED = saved;
  });
  const faultOf = (source: "str" | "msg", value: string): string | null => {
    assert.ok(spec);
    return dialog.findEntryFault(spec, { source, value });
  };

  it("that are typed in are not empty, and hold no line break", () => {
    assert.equal(faultOf("str", ""), "required");
    assert.equal(faultOf("str", "a\nb"), "line-break");
    assert.equal(faultOf("str", " "), null);
    assert.equal(faultOf("str", "a"), null);
  });

  it("name the source of a faulty value from elsewhere", () => {
    assert.equal(faultOf("msg", ""), "blank-source");
    assert.equal(faultOf("msg", "name"), null);
  });

  it("with braces that are filled have no length yet, but an end of their braces", () => {
    assert.ok(spec);
    provideTextLibrary();
    const fault = (value: string, fills: boolean): string | null =>
      dialog.findListFault(spec, [{ source: "str", value }], fills);
    const long = `${"a".repeat(1020)}{{payload.name}}`;
    assert.match(String(fault(long, false)), /too-long/);
    assert.equal(fault(long, true), null);
    assert.equal(fault("{{payload.name", false), null);
    assert.equal(fault("{{payload.name", true), "entry 1 unclosed");
  });

  it("name faulty entries by their number", () => {
    assert.ok(spec);
    const entries = ["a", ""].map((value) => ({ source: "str", value }) as const);
    assert.equal(dialog.findListFault(spec, entries), "entry 2 required");
  });
});
