import assert from "node:assert/strict";
import { fillText, replacePath } from "../../../../lib/editor/personal-text/filled-text";
import { provideTextLibrary } from "../../../../lib/editor/personal-text/provide-text-library";
import { toSample } from "../../../../lib/editor/personal-text/sample";
import { withoutPersonal } from "../../../../lib/editor/personal-text/without-personal";

const sample = toSample({ payload: { name: "Anna & Co", list: [1] } }, { source: "msg", value: "to" });

describe("filled text", () => {
  before(provideTextLibrary);

  it("has the values of the sample", () => {
    assert.deepEqual(fillText("Dear {{payload.name}}", sample), {
      text: "Dear Anna & Co",
      personal: true,
      exact: true,
      faults: [],
    });
    assert.deepEqual(fillText("Hello", sample), { text: "Hello", personal: false, exact: true, faults: [] });
  });

  it("names each path without a value once, and what was meant", () => {
    const { text, exact, faults } = fillText(
      "{{payload.nmae}} {{payload.name}} {{payload.nmae}} {{payload.list}}",
      sample,
    );
    assert.equal(text, "⟨payload.nmae⟩ Anna & Co ⟨payload.nmae⟩ ⟨payload.list⟩");
    assert.equal(exact, false);
    assert.deepEqual(faults, [
      { path: "payload.nmae", reason: "no-value", meant: "payload.name" },
      { path: "payload.list", reason: "not-text", meant: "payload.list.0" },
    ]);
  });

  it("stays as it is while its braces are not complete", () => {
    assert.deepEqual(fillText("Dear {{payload.na", sample), {
      text: "Dear {{payload.na",
      personal: true,
      exact: false,
      faults: [],
    });
  });

  it("has another path instead of one", () => {
    const text = "{{ a.b }} {{{a.b}}} {{#a.b}}a.b{{/a.b}} {{a.bc}} {{xa.b}}";
    assert.equal(replacePath(text, "a.b", "$1"), "{{ $1 }} {{{$1}}} {{#$1}}a.b{{/$1}} {{a.bc}} {{xa.b}}");
  });

  it("counts as no invalid number among recipients", () => {
    assert.deepEqual(withoutPersonal("+41 79, {{payload.mobile}}; {{x}}"), { text: "+41 79", count: 2 });
    assert.deepEqual(withoutPersonal("+41 79"), { text: "+41 79", count: 0 });
  });
});
