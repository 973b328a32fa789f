import assert from "node:assert/strict";
import fc from "fast-check";
import { codeBeforeZero } from "../../../../lib/shared/recipients/national-number";
import { parseRecipientsInSlices } from "../../../../lib/shared/recipients/parse-in-slices";
import { type ParsedRecipients, parseRecipients } from "../../../../lib/shared/recipients/recipients";
import type { RecipientFault } from "../../../../lib/shared/recipients/rejected-recipient";
import { recipientSentence } from "../../../../lib/texts/recipient-sentence";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function only({ rejected }: ParsedRecipients) {
  assert.equal(rejected.length, 1, JSON.stringify(rejected));
  return rejected[0]!;
}

/** Checks that a value is refused for one reason, which the explanation matches. */
function rejects(value: unknown, fault: RecipientFault, defaultCountry?: string, why = /.{21}/): void {
  const result = parseRecipients(value, { defaultCountry });
  const { reason, explanation } = only(result);
  assert.deepEqual([reason, result.accepted, result.empty], [fault, [], false]);
  assert.match(recipientSentence(explanation), why);
}

function accepts(value: unknown, expected: string | string[], defaultCountry?: string): void {
  const { rejected, accepted, empty } = parseRecipients(value, { defaultCountry });
  assert.deepEqual(
    { rejected, accepted, empty },
    { rejected: [], accepted: [expected].flat(), empty: false },
  );
}

/** 41791234567 and so many minus one that follow. */
const swissNumbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(41_791_234_567 + index));

const reasonsOf = ({ rejected }: ParsedRecipients) => rejected.map(({ value, reason }) => [value, reason]);

const international = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^[0-9]{4,14}$/))
  .map(([first, rest]) => `${first}${rest}`)
  .filter((digits) => codeBeforeZero(digits) === null);

describe("parseRecipients: accepted values", () => {
  it("reads a text with commas, semicolons and line breaks", () => {
    accepts("+41791234567", "41791234567");
    const separated =
      "+41791234567, 41791234568;0041791234569\n+41 79 123 45 70\r\n+41791234571\u2028+41791234572";
    accepts(separated, swissNumbers(6));
    accepts(",;\n +41791234567 ,, \r\n", "41791234567");
  });

  it("reads a number", () => {
    for (const number of [41791234567, 12345, 999_999_999_999_999, 41791234567n]) {
      accepts(number, String(number));
    }
  });

  it("reads a list of numbers and texts, also with separators", () => {
    const list = ["+41791234567", 41791234568, " 0041 79 123 45 69\n", "+41791234570,+41791234571", ""];
    accepts(list, swissNumbers(5));
  });

  it("distinguishes no recipients from wrong ones", () => {
    for (const nothing of [undefined, null, "", "  ", ",;\n", "\u200b", [], ["", " \n"]]) {
      const result = parseRecipients(nothing);
      assert.deepEqual(result, { accepted: [], rejected: [], duplicates: 0, warnings: [], empty: true });
    }
    assert.equal(parseRecipients("x").empty, false);
    assert.equal(parseRecipients("+41791234567").empty, false);
  });

  it("keeps the order and accepts duplicates once, in any spelling", () => {
    const written = ["+41791234567", "+41791234568", 41791234567, "0041 79 123 45 68", "+41791234566"];
    const { accepted, duplicates } = parseRecipients(written);
    assert.deepEqual([accepted, duplicates], [["41791234567", "41791234568", "41791234566"], 2]);
    const swiss = parseRecipients("079 123 45 67, +41791234567, 791234567", { defaultCountry: "CH" });
    assert.deepEqual([swiss.accepted, swiss.duplicates], [["41791234567"], 2]);
  });

  it("sends once to a person whose number has two spellings, with the first one", () => {
    const { accepted, duplicates } = parseRecipients(
      "+5215512345678, +525512345678, +541123456789, +5491123456789",
    );
    assert.deepEqual([accepted, duplicates], [["5215512345678", "541123456789"], 2]);
  });

  it("warns of numbers that may have lost their last digits", () => {
    const warned = (value: unknown) =>
      parseRecipients(value).warnings.map(({ key, values }) => [key, values?.example]);
    assert.deepEqual(warned(41_791_200_000), [["rounded.one", "41791200000"]]);
    assert.deepEqual(warned([41_791_200_000, 491_712_000_000]), [["rounded.many", "41791200000"]]);
    assert.deepEqual(warned([41_791_234_567, "41791200000", 41_446_681_800]), []);
  });

  it("reads digits of every script", () => {
    accepts("+٤١ ٧٩ ١٢٣ ٤٥ ٦٧", "41791234567");
    accepts("०७९ १२३ ४५ ६७", "41791234567", "CH");
  });

  it("refuses another ending or an extension behind a complete number", () => {
    const sentence = /is a complete number/;
    for (const text of [
      "0171 1234567/8",
      "0171/1234567-8",
      "0171 1234567 – 68",
      "0171 1234567 (8)",
      "0171.1234567/678",
    ]) {
      rejects(text, "ambiguous", "DE", sentence);
    }
    for (const text of [
      "+49 171 1234567/8",
      "0041 44 668 18 00/01",
      "+41 44 668 18 00/1801",
      "491711234567/8",
    ]) {
      rejects(text, "ambiguous", undefined, sentence);
    }
    rejects("044 668 18 00/01", "ambiguous", "CH", sentence);
  });

  it("takes slashes, dashes, dots and brackets between the groups of one number", () => {
    accepts("0664/123-45-67", "436641234567", "AT");
    accepts("01-23-45-67-89", "33123456789", "FR");
    accepts("0812-3456-789", "628123456789", "ID");
    accepts("0171/123/4567", "491711234567", "DE");
    accepts("+49-171-123-45-67", "491711234567");
    accepts("079.123.45.67", "41791234567", "CH");
  });

  it("accepts valid recipients and lists wrong ones", () => {
    const result = parseRecipients("+41791234567, Anna, +41791234568, 12");
    assert.deepEqual(result.accepted, swissNumbers(2));
    assert.deepEqual(reasonsOf(result), [
      ["Anna", "not-a-number"],
      ["12", "too-short"],
    ]);
  });
});

describe("parseRecipients: without a default country", () => {
  it("accepts 5 to 15 digits that do not begin with 0", () => {
    accepts("12345", "12345");
    accepts("+123456789012345", "123456789012345");
    for (const plus of ["", "+"]) {
      rejects(`${plus}1234`, "too-short");
      rejects(`${plus}1234567890123456`, "too-long");
    }
    rejects("+0791234567", "leading-zero");
    rejects("000791234567", "leading-zero");
    rejects("079 123 45 67", "leading-zero", undefined, /default country/);
    rejects("41791234567 41791234568", "too-long", undefined, /commas/);
  });
});

describe("parseRecipients: with a default country", () => {
  it("reads national numbers, with or without their zero", () => {
    accepts("079 123 45 67", "41791234567", "CH");
    accepts("(0)79/123 45 67", "41791234567", "CH");
    accepts(791234567, "41791234567", "CH");
    accepts("0791234567", "41791234567", "ch");
    accepts("0151 12345678", "4915112345678", "DE");
    accepts("06 12345678", "390612345678", "IT");
    accepts("(212) 555-2368", "12125552368", "US");
  });

  it("reads international numbers without their plus", () => {
    accepts("41791234567", "41791234567", "CH");
    accepts("4915112345678", "4915112345678", "CH");
    accepts(4915112345678, "4915112345678", "CH");
  });

  it("accepts + and 00 without checking the numbering plan", () => {
    accepts("+99912345", "99912345", "CH");
    accepts("0099912345", "99912345", "CH");
    accepts("+6598234567", "6598234567", "US");
  });

  it("refuses a number with two valid readings and names both", () => {
    rejects("6598234567", "ambiguous", "US", /\+16598234567.*\+6598234567/);
  });

  it("refuses a number without a valid reading", () => {
    for (const text of ["12345", "0123", "0", "112", "999123456789"]) {
      rejects(text, "invalid-for-country", "CH", /CH/);
    }
    rejects("01141791234567", "invalid-for-country", "US");
    rejects("0791234567 0791234568 0791234569", "too-long", "CH", /commas/);
  });

  it("refuses only numbers without + when the country itself is wrong", () => {
    const text = "+41791234567, 0041791234568, 41791234569, 0791234567";
    const result = parseRecipients(text, { defaultCountry: "XX" });
    assert.deepEqual(result.accepted, swissNumbers(2));
    assert.deepEqual(reasonsOf(result), [
      ["41791234569", "unknown-country"],
      ["0791234567", "unknown-country"],
    ]);
    rejects("0791234567", "unknown-country", "XX", /valid default country\. .* such as CH/);
  });
});

describe("parseRecipients: values of any type", () => {
  it("refuses other types and names the entry", () => {
    const fail = (): never => {
      throw new Error("never call this");
    };
    const hostile = { toString: fail, [Symbol.toPrimitive]: fail, toJSON: fail };
    const objects = [
      ...[{}, hostile, Object.create(null)],
      ...[Object("41791234567"), Buffer.from("41791234567"), new Set(["41791234567"])],
    ];
    for (const [kind, entry] of [
      ...objects.map((object) => ["object", object] as const),
      ["list", ["+41791234567"]],
      ["boolean", true],
      ["symbol", Symbol("41791234567")],
      ["function", () => "41791234567"],
    ] as const) {
      const result = parseRecipients(["+41791234568", entry]);
      assert.deepEqual(reasonsOf(result), [[kind, "wrong-type"]]);
      assert.equal(only(result).position, 2);
      assert.deepEqual(result.accepted, ["41791234568"]);
    }
    assert.equal(only(parseRecipients({ phone: "+41791234567" })).position, null);
    assert.equal(only(parseRecipients(["", "1234567,\n1234568", " ", {}])).position, 4);
    rejects(hostile, "wrong-type");
  });

  it("refuses undefined, null and holes in a list", () => {
    const holed: unknown[] = ["+41791234567", undefined, null];
    holed[4] = "+41791234568";
    const result = parseRecipients(holed);
    assert.deepEqual(result.accepted, swissNumbers(2));
    assert.deepEqual(
      result.rejected.map(({ value, position, reason }) => [value, position, reason]),
      [
        ["undefined", 2, "missing"],
        ["null", 3, "missing"],
        ["undefined", 4, "missing"],
      ],
    );
  });

  it("accepts only 5 to 15 digits, each once, and never throws", () => {
    const anything = fc.oneof(
      fc.anything({
        withBigInt: true,
        withNullPrototype: true,
        withSparseArray: true,
        withBoxedValues: true,
      }),
      fc.array(fc.oneof(fc.string({ unit: "binary" }), international, fc.double(), fc.anything())),
      fc.string({ unit: fc.constantFrom(..."+0123456789 ,;\n-./()[]eE\u0000\u200b٣＋x") }),
    );
    const country = fc.constantFrom(undefined, "CH", "US", "IT", "AR", "XX", "");
    fc.assert(
      fc.property(anything, country, (value, defaultCountry) => {
        const { accepted, rejected, empty } = parseRecipients(value, { defaultCountry });
        for (const digits of accepted) {
          assert.match(digits, /^[1-9][0-9]{4,14}$/);
        }
        assert.equal(new Set(accepted).size, accepted.length);
        assert.equal(empty, accepted.length + rejected.length === 0);
        JSON.stringify(rejected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("parseRecipients: a zero of national calls behind the country code", () => {
  for (const [text, digits] of [
    ["+410790000001", "41790000001"],
    ["+41 079 000 00 01", "41790000001"],
    ["+4407400123456", "447400123456"],
    ["+36 0 20 123 4567", "36201234567"],
    // No such zero in the country at all.
    ["+34 0612345678", "34612345678"],
    ["+7 0 912 345 67 89", "79123456789"],
  ] as const) {
    it(`removes it from ${text}`, () => {
      accepts(text, digits);
      accepts(text, digits, text.startsWith("4") ? "CH" : "DE");
    });
  }

  it("keeps it in numbers that begin with a zero and after codes without a country", () => {
    for (const number of ["390612345678", "2250101234567", "242061234567", "2290195123456"]) {
      accepts(`+${number}`, number);
    }
    accepts(["+4702345", "+999004002"], ["4702345", "999004002"]);
  });

  for (const text of ["+4100790000001", "+41 012", "+10790000001", "+34061", 4_100_000_001]) {
    it(`refuses ${text}, which is no number without it`, () => {
      rejects(
        text,
        "trunk-zero",
        undefined,
        /^Behind \+(?:41|1|34) there is a 0.* as it is called from abroad\.$/,
      );
    });
  }
});

describe("parseRecipientsInSlices", () => {
  it("pauses while it reads lists and texts", async () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => `+${41_790_000_000 + index}`);
    for (const value of [numbers, numbers.join(",")]) {
      let yields = 0;
      const yieldNow = () => {
        yields++;
        return nextTurn();
      };
      const result = await parseRecipientsInSlices(value, { sliceMilliseconds: 0 }, yieldNow);
      assert.equal(result.accepted.length, numbers.length);
      assert.ok(yields >= 15, `${yields}`);
    }
  });
});
