import assert from "node:assert/strict";
import { countSegments } from "../../../../simulator/rules/segments";

const cases: readonly [string, string, "gsm" | "ucs2", number][] = [
  ["160 septets", "a".repeat(160), "gsm", 1],
  ["161 septets", "a".repeat(161), "gsm", 2],
  ["306 septets", "a".repeat(306), "gsm", 2],
  ["307 septets", "a".repeat(307), "gsm", 3],
  ["every character of the extension at two septets", "^{}\\[~]|€\f".repeat(8), "gsm", 1],
  ["one more than fits with extensions", `${"€".repeat(80)}a`, "gsm", 2],
  ["an escape pair that would be split", `${"a".repeat(152)}€${"a".repeat(152)}`, "gsm", 3],
  ["umlauts and Greek capitals of the alphabet", "äöüÄÖÜßΔΩàé".repeat(14), "gsm", 1],
  ["70 units", "ж".repeat(70), "ucs2", 1],
  ["71 units", "ж".repeat(71), "ucs2", 2],
  ["134 units", "ж".repeat(134), "ucs2", 2],
  ["135 units", "ж".repeat(135), "ucs2", 3],
  ["35 emoji", "🙂".repeat(35), "ucs2", 1],
  ["a surrogate pair that would be split", `${"ж".repeat(66)}🙂${"ж".repeat(66)}`, "ucs2", 3],
  ["one foreign character among 70", `${"a".repeat(70)}ç`, "ucs2", 2],
];

describe("simulator: segments", () => {
  for (const [name, text, alphabet, segments] of cases)
    it(`${segments} for ${name}`, () => assert.deepEqual(countSegments(text), { alphabet, segments }));
});
