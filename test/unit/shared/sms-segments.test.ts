import assert from "node:assert/strict";
import fc from "fast-check";
import {
  billedSms,
  countsTwice,
  isOutsideGsm,
  measureSms,
  countSegments,
} from "../../../lib/shared/sms-segments";
import { countSegments as simulate } from "../../../simulator/rules/segments";

type Row = readonly [name: string, text: string, characters: number, segments: number, left: number];

const a = (count: number): string => "a".repeat(count);
const o = (count: number): string => "ő".repeat(count);

const GSM: readonly Row[] = [
  ["nothing", "", 0, 0, 160],
  ["one character", "a", 1, 1, 159],
  ["159", a(159), 159, 1, 1],
  ["160", a(160), 160, 1, 0],
  ["161", a(161), 161, 2, 145],
  ["2 · 153", a(306), 306, 2, 0],
  ["2 · 153 + 1", a(307), 307, 3, 152],
  ["3 · 153", a(459), 459, 3, 0],
  ["3 · 153 + 1", a(460), 460, 4, 152],
  ["a euro sign", "€", 1, 1, 158],
  ["a euro sign in the last two places", `${a(158)}€`, 159, 1, 0],
  ["a euro sign with one place left", `${a(159)}€`, 160, 2, 145],
  ["a pair that would be split at the first border", `${a(152)}€${a(10)}`, 163, 2, 141],
  ["a pair that just fits before the border", `${a(151)}€${a(10)}`, 162, 2, 143],
  ["306 septets that a split pair pushes into a third", `${a(152)}€${a(152)}`, 305, 3, 152],
  ["eighty pairs", "[".repeat(80), 80, 1, 0],
  ["eighty-one pairs", "[".repeat(81), 81, 2, 143],
  ["line breaks", "a\r\nb\n", 5, 1, 155],
  ["umlauts and Greek capitals", "ÄÖÜäöüßàéΔΩ", 11, 1, 149],
];

const UCS2: readonly Row[] = [
  ["one stranger", "ő", 1, 1, 69],
  ["a stranger among others", `${a(30)}ő`, 31, 1, 39],
  ["69", o(69), 69, 1, 1],
  ["70", o(70), 70, 1, 0],
  ["71", o(71), 71, 2, 63],
  ["2 · 67", o(134), 134, 2, 0],
  ["2 · 67 + 1", o(135), 135, 3, 66],
  ["an emoji", "😀", 1, 1, 68],
  ["an emoji in places 69 and 70", `${a(68)}😀`, 69, 1, 0],
  ["an emoji in places 70 and 71", `${a(69)}😀`, 70, 2, 63],
  ["an emoji that would be split at the first border", `${a(66)}😀${a(10)}`, 77, 2, 55],
  ["an emoji that just fits before the border", `${a(65)}😀${a(10)}`, 76, 2, 57],
  ["a euro sign, which costs one here", `ő€${a(68)}`, 70, 1, 0],
  ["half a surrogate pair", "\ud83d", 1, 1, 69],
];

describe("measureSms", () => {
  it("counts characters, segments and free room in both alphabets", () => {
    for (const [encoding, rows] of Object.entries({ gsm: GSM, ucs2: UCS2 })) {
      for (const [name, text, characters, segments, left] of rows) {
        assert.deepEqual(measureSms(text), { encoding, characters, segments, left }, name);
      }
    }
  });

  it("accepts the GSM alphabet and nothing else", () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const inside = all.filter((character) => !isOutsideGsm(character));
    // 127 in the basic table without the escape, and 10 behind it.
    assert.equal(inside.length, 137);
    assert.equal(inside.filter(countsTwice).length, 10);
    for (const familiar of ["`", "\t", "\u00a0", "’", "–", "ç", "á", "ő", "α"]) {
      assert.ok(isOutsideGsm(familiar), familiar);
    }
  });

  it("counts as the simulator does", () => {
    const unit = fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(..."aZ9 \näß@Ω") },
      { weight: 5, arbitrary: fc.constantFrom(..."€[]~\f\\|") },
      { weight: 1, arbitrary: fc.constantFrom("ő", "😀", "`", "\t", "\ud83d", "\udc00") },
    );
    const gsmOnly = fc.constantFrom(..."aé€{");
    for (const text of [fc.string({ unit, maxLength: 700 }), fc.string({ unit: gsmOnly, maxLength: 700 })]) {
      fc.assert(
        fc.property(text, (value) => {
          fc.pre(value !== "");
          const { encoding, segments } = measureSms(value);
          assert.deepEqual({ alphabet: encoding, segments }, simulate(value));
          assert.equal(countSegments(value), segments);
        }),
      );
    }
  });
});

describe("billedSms", () => {
  const three = a(400);

  it("counts the SMS of the text", () => {
    assert.equal(billedSms({ messageContent: three }), 3);
    assert.equal(billedSms({ messageContent: "" }), 1);
  });

  it("returns at most what the message allows", () => {
    assert.equal(billedSms({ messageContent: three, maxSmsPerMessage: 2 }), 2);
    assert.equal(billedSms({ messageContent: three, maxSmsPerMessage: 5 }), 3);
  });

  it("has no limit when the message sets none", () => {
    for (const maxSmsPerMessage of [0, undefined, "2"]) {
      assert.equal(billedSms({ messageContent: three, maxSmsPerMessage }), 3, String(maxSmsPerMessage));
    }
  });
});
