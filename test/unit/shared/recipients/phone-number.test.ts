import assert from "node:assert/strict";
import { getCountries } from "libphonenumber-js/max";
import {
  COUNTRIES,
  checkDefaultCountry,
  findDigitsFault,
  readSpelling,
} from "../../../../lib/shared/recipients/phone-number";
import { recipientSentence } from "../../../../lib/texts/recipient-sentence";

/** The spelling without the tail that decides about a second ending. */
function read(text: string): object {
  const { tail: _, ...rest } = { tail: "", ...readSpelling(text) };
  return rest;
}

describe("readSpelling", () => {
  it("drops blanks, dashes, dots, slashes and brackets", () => {
    const international = { form: "international", digits: "41791234567" };
    for (const text of [
      ...["+41 79 123 45 67", "+41-79-123-45-67", "+41.79.123.45.67", "+41 79/123 45 67"],
      ...["(+41) [79] 123.45.67", "+41\u00a079\u202f123\u200945\t67", "+41–79—123‑45−67"],
      ...[
        "+٤١٧٩١٢٣٤٥٦٧",
        "\u202a+41\u200b79\u200e1234567\u202c\ufeff",
        "0041 79 123 45 67",
        "(00)41 79 123 45 67",
      ],
    ]) {
      assert.deepEqual(read(text), international, JSON.stringify(text));
    }
    assert.deepEqual(read("(0)79 123 45 67"), { form: "open", digits: "0791234567" });
  });

  for (const [text, hint] of [
    ["+", /no digit of a phone number/],
    ["00", /no digit of a phone number/],
    ["Anna", /“A” \(U\+0041\)/],
    ["tel:+41791234567", /“t”/],
    ["telegram:41790000099", /id of a user of “telegram”, not a phone number/],
    ["41791234567+", /plus sign inside/],
    ["+41791234567 +41791234568", /plus sign inside.*commas/],
    ["+4179123😀", /“😀” \(U\+1F600\)/],
    ["4.1791234567E+10", /scientific notation/],
  ] as const) {
    it(`finds no number in ${JSON.stringify(text)} and says why`, () => {
      const spelling = readSpelling(text);
      assert.ok(spelling.form === "fault" && spelling.reason === "not-a-number", JSON.stringify(spelling));
      assert.match(recipientSentence(spelling.explanation), hint);
    });
  }

  it("refuses a zero in brackets after a country code as ambiguous", () => {
    for (const text of ["+41 (0)79 123 45 67", "0041 (0) 79 123 45 67", "+41[0]791234567"]) {
      const spelling = readSpelling(text);
      assert.ok(spelling.form === "fault" && spelling.reason === "ambiguous", text);
      assert.match(recipientSentence(spelling.explanation), /\+41791234567 or \+410791234567/);
    }
  });

  it("refuses a decimal zero as ambiguous", () => {
    const spelling = readSpelling("41791234567.0");
    assert.ok(spelling.form === "fault" && spelling.reason === "ambiguous");
    assert.match(recipientSentence(spelling.explanation), /41791234567 or 417912345670/);
    assert.deepEqual(read("0791234.0567"), { form: "open", digits: "07912340567" });
    assert.deepEqual(read("41.79.123.45.60"), { form: "open", digits: "41791234560" });
  });
});

describe("findDigitsFault", () => {
  for (const [digits, reason] of [
    ["1234", "too-short"],
    ["12345", undefined],
    ["123456789012345", undefined],
    ["1234567890123456", "too-long"],
    ["0791234567", "leading-zero"],
  ] as const) {
    it(`${digits}: ${reason ?? "fine"}`, () => assert.equal(findDigitsFault(digits)?.reason, reason));
  }
});

describe("checkDefaultCountry", () => {
  it("lists exactly the countries with a numbering plan", () => {
    assert.deepEqual([...COUNTRIES].sort(), [...getCountries()].sort());
  });

  it("accepts a code in any case, and blank for no country", () => {
    assert.deepEqual(checkDefaultCountry(" ch "), { ok: true, country: "CH" });
    for (const none of [undefined, null, "", "  "]) {
      assert.deepEqual(checkDefaultCountry(none), { ok: true, country: null });
    }
  });

  it("refuses everything else with a hint", () => {
    const texts = ["XX", "Switzerland", "41", "+41", "de-CH", "__proto__", "constructor"];
    for (const wrong of [...texts, 41, {}, [], true]) {
      const checked = checkDefaultCountry(wrong);
      assert.ok(!checked.ok, String(wrong));
      assert.match(recipientSentence(checked.explanation), /such as CH/);
    }
    for (const [familiar, meant] of Object.entries({ uk: "GB", EL: "GR" })) {
      const checked = checkDefaultCountry(familiar);
      assert.ok(!checked.ok);
      assert.match(recipientSentence(checked.explanation), new RegExp(`Use ${meant}`));
    }
  });
});
