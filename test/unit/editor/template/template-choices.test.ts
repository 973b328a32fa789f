import assert from "node:assert/strict";
import { TemplateChoices } from "../../../../lib/editor/template/template-choices";
import { TemplateLocales } from "../../../../lib/editor/template/template-locales";

const values = (found: readonly { readonly value: string }[]): readonly string[] =>
  found.map(({ value }) => value);

describe("languages of templates", () => {
  const locales = new TemplateLocales("en-US");

  it("are found by name or code, a code that fits exactly first", () => {
    assert.deepEqual(values(locales.search("brazil", "")), ["pt_BR"]);
    assert.deepEqual(values(locales.search("en", "")), ["en", "en_GB", "en_US"]);
    assert.equal(values(locales.search("German", ""))[0], "de");
    assert.deepEqual(locales.search("tzz", ""), [{ value: "tzz", label: "tzz" }]);
    assert.deepEqual(locales.search("no language", ""), []);
  });

  for (const [typed, code] of [
    ["German", "de"],
    [" en-us ", "en_US"],
    ["zh_hk", "zh_HK"],
    ["Klingon", "Klingon"],
  ] as const) {
    it(`has “${typed}” stand for ${code}`, () => assert.equal(locales.codeOf(typed), code));
  }
});

describe("choices of templates", () => {
  const choices = new TemplateChoices(new TemplateLocales("en-US"));
  choices.know([
    { name: "order_ready", locale: "de" },
    { name: "order_ready", locale: "en_US" },
    { name: "welcome", locale: "de" },
  ]);

  it("have what was typed first, and say name and language", () => {
    assert.deepEqual(choices.search("read", ""), [
      { value: "read", label: "read" },
      { value: "order_ready (de)", label: "order_ready · German · de" },
      { value: "order_ready (en_US)", label: "order_ready · English (United States) · en_US" },
    ]);
    assert.deepEqual(choices.search("unknown", ""), []);
  });

  it("tell a choice from a name", () => {
    assert.deepEqual(choices.chosen("order_ready (de)"), { name: "order_ready", locale: "de" });
    assert.equal(choices.chosen("order_ready"), undefined);
    assert.deepEqual(choices.localesOf("order_ready"), ["de", "en_US"]);
  });
});
