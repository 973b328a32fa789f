import assert from "node:assert/strict";
import { findEntryFault, findListFault } from "../../../lib/editor/list-fault";
import { WHATSAPP_FIELDS } from "../../../lib/shared/whatsapp-fields";

/** What the dialog says of placeholders: the same as the runtime, which `whatsapp-send/placeholders` shows. */
describe("editor: placeholders of a template", () => {
  const spec = WHATSAPP_FIELDS.find(({ kind }) => kind === "placeholders");
  const holder = globalThis as { RED?: unknown };
  const saved = holder.RED;
  before(() => {
    holder.RED = {
      _: (key: string, values: object = {}) => [key.split(".").at(-1), ...Object.values(values)].join(" "),
      utils: { validateTypedProperty: () => true },
    };
  });
  after(() => {
    holder.RED = saved;
  });
  const faultOf = (source: "str" | "msg", value: string): string | null => {
    assert.ok(spec);
    return findEntryFault(spec, { source, value });
  };

  it("that are typed in are not empty, and hold no line break", () => {
    assert.equal(faultOf("str", ""), "required");
    assert.equal(faultOf("str", "a\nb"), "line-break");
    assert.equal(faultOf("str", " "), null);
    assert.equal(faultOf("str", "a"), null);
  });

  it("that come from elsewhere name where", () => {
    assert.equal(faultOf("msg", ""), "blank-source");
    assert.equal(faultOf("msg", "name"), null);
  });

  it("are named by their number", () => {
    assert.ok(spec);
    const entries = ["a", ""].map((value) => ({ source: "str", value }) as const);
    assert.equal(findListFault(spec, entries), "entry 2 required");
  });
});
