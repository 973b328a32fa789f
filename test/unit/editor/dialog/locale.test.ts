import assert from "node:assert/strict";

/** Code of the editor, with types that only a browser has. */
const MODULES: Readonly<Record<"locale" | "texts", string>> = {
  locale: "../../../../lib/editor/dialog/locale",
  texts: "../../../../lib/editor/dialog/texts",
};
interface Locale {
  formatNumber(value: number): string;
  formatMoment(at: Date | number, options?: Intl.DateTimeFormatOptions): string;
}
interface TextFunctions {
  nodeTexts(type: string): (key: string, values?: Readonly<Record<string, string | number>>) => string;
}

/** Spaces as plain ones: the data of languages has narrow and non-breaking ones in other versions. */
const plain = (text: string): string => text.replace(/\s/g, " ");

describe("editor: numbers and dates", () => {
  const holder = globalThis as { RED?: unknown };
  const saved = holder.RED;
  let locale: Locale;
  let texts: TextFunctions;
  let language: string | undefined;
  before(async () => {
    locale = (await import(MODULES.locale)) as Locale;
    texts = (await import(MODULES.texts)) as TextFunctions;
    holder.RED = {
      _: (_key: string, values: object) => JSON.stringify(values),
      i18n: { lang: () => language },
    };
  });
  after(() => {
    holder.RED = saved;
  });

  const AT = new Date(2026, 10, 22, 20, 15, 7);
  const ROWS = [
    ["en-US", "2,404", "0.5", "Nov 22, 2026, 8:15:07 PM"],
    ["de", "2.404", "0,5", "22.11.2026, 20:15:07"],
    [undefined, "2,404", "0.5", "Nov 22, 2026, 8:15:07 PM"],
  ] as const;
  for (const [lang, many, half, moment] of ROWS) {
    it(`are written as in ${lang ?? "a language that Node-RED does not tell"}`, () => {
      language = lang;
      assert.equal(locale.formatNumber(2404), many);
      assert.equal(locale.formatNumber(0.5), half);
      assert.equal(locale.formatNumber(999), "999");
      assert.equal(plain(locale.formatMoment(AT)), moment);
    });
  }

  it("stand so in every text; what is no count is passed as a string and stays", () => {
    language = "de";
    assert.equal(
      texts.nodeTexts("sms-send")("x", { n: 2404, statusCode: "4031" }),
      '{"n":"2.404","statusCode":"4031"}',
    );
  });
});
