import assert from "node:assert/strict";
import { PersonalText, PersonalTextError } from "../../../../lib/shared/personal-text/personal-text";

const fill = (template: string, ...sources: object[]) => new PersonalText(template).render(sources);

describe("personal text", () => {
  const RENDERED: readonly [template: string, sources: object[], text: string][] = [
    ["Dear {{payload.name}}", [{ payload: { name: "Anna & <Söhne>" } }], "Dear Anna & <Söhne>"],
    ["{{{name}}} {{&name}}", [{ name: "A&B" }], "A&B A&B"],
    ["{{ name }}!", [{ name: "row" }, { name: "message" }], "row!"],
    ["{{payload.name}}", [{ other: 1 }, { payload: { name: "message" } }], "message"],
    ["{{First name}} {{Tel. 1}}", [{ "First name": "Anna", "Tel. 1": 5 }], "Anna 5"],
    ["{{Name}} {{a.b}}", [{ "\uFEFFName": "Anna", "\uFEFFa": { b: 1 } }], "Anna 1"],
    ["{{payload.Tel. 1}}", [{ payload: { "Tel. 1": "044" } }], "044"],
    ["{{count}} {{yes}} {{big}}", [{ count: 0, yes: false, big: 12n }], "0 false 12"],
    ["{{#note}}Note: {{note}}.{{/note}}{{^note}}No note.{{/note}}", [{ note: "" }], "No note."],
    ["{{#items}}{{name}},{{.}};{{/items}}", [{ items: ["a", "b"], name: "n" }], "n,a;n,b;"],
    ["a {{! nothing }}b", [{}], "a b"],
    ["no braces } {", [{}], "no braces } {"],
  ];
  it("fills placeholders with values of row and message, unescaped", () => {
    for (const [template, sources, text] of RENDERED) {
      assert.equal(fill(template, ...sources), text);
    }
  });

  const FAULTS: readonly [template: string, source: object, faults: [string, string][]][] = [
    ["{{payload.name}}", { payload: {} }, [["payload.name", "no-value"]]],
    [
      "{{a}} {{b}}",
      { a: "  ", b: null },
      [
        ["a", "no-value"],
        ["b", "no-value"],
      ],
    ],
    ["{{payload}}", { payload: { name: 1 } }, [["payload", "not-text"]]],
    [
      "{{list}}{{nan}}",
      { list: [1], nan: Number.NaN },
      [
        ["list", "not-text"],
        ["nan", "not-text"],
      ],
    ],
    ["{{payload.constructor.name}}", { payload: {} }, [["payload.constructor.name", "no-value"]]],
    ["{{call}}", { call: () => "x" }, [["call", "no-value"]]],
    ["{{name.length}}", { name: "text" }, [["name.length", "no-value"]]],
  ];
  const NEXT = [
    ["{{name}}", { name: undefined }, { name: "somebody else" }],
    ["{{address.city}}", { address: {} }, { address: { city: "of somebody else" } }],
  ] as const;
  it("uses no value of the message when the row has the name without a value", () => {
    for (const [template, row, message] of NEXT) {
      const path = template.slice(2, -2);
      assert.deepEqual(fill(template, row, message), [{ path, reason: "no-value" }]);
    }
  });

  it("names placeholders that have no text", () => {
    for (const [template, source, faults] of FAULTS) {
      const expected = faults.map(([path, reason]) => ({ path, reason }));
      assert.deepEqual(fill(template, source), expected, template);
    }
  });

  const REFUSED: readonly [template: string, reason: string][] = [
    ["Dear {{name", "unclosed"],
    ["{{#a}} text", "unclosed"],
    ["text {{/a}}", "unopened-section"],
    ["{{> part}}", "partial"],
  ];
  for (const [template, reason] of REFUSED) {
    it(`refuses ${template}`, () => {
      assert.throws(
        () => new PersonalText(template),
        (error: unknown) => error instanceof PersonalTextError && error.reason === reason,
      );
    });
  }

  it("uses values from outside the message by their path, after the message", () => {
    const text = new PersonalText("{{flow.place}} {{env.HOUR}} {{#global[file].x.y}}on{{/global[file].x.y}}");
    assert.deepEqual(text.outside, ["flow.place", "env.HOUR", "global[file].x.y"]);
    assert.deepEqual(text.paths, ["flow.place", "env.HOUR"]);
    const outside = new Map<string, unknown>([
      ["flow.place", "Bern"],
      ["env.HOUR", 8],
      ["global[file].x.y", true],
    ]);
    assert.equal(text.render([{}], outside), "Bern 8 on");
    assert.equal(text.render([{ flow: { place: "Chur" } }], outside), "Chur 8 on");
  });

  it("fills objects as JSON and missing values as nothing when a text is required", () => {
    const text = new PersonalText(
      "{{a}} {{b.c}} {{gone}}{{gone}}{{empty}}{{#items}}[{{.}}]{{/items}} {{long}}",
    );
    const sources = [
      { a: { x: 1 }, b: { c: 2 }, empty: "", items: [1, { y: 2 }], long: "x".repeat(300).split("") },
    ];
    const { text: filled, missing } = text.fill(sources);
    assert.match(filled, /^\{"x":1\} 2 \[1\]\[\{"y":2\}\] \["x","x"/);
    assert.ok(filled.endsWith("…") && filled.length < 240);
    assert.deepEqual(missing, ["gone", "empty"]);
  });
});
