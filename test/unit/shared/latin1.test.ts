import assert from "node:assert/strict";
import fc from "fast-check";
import { findNonLatin1, percentEncodeLatin1 } from "../../../lib/shared/latin1";

const latin1Text = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
});

describe("findNonLatin1", () => {
  it("finds the first character outside Latin-1 and its position", () => {
    for (const [text, character, codePoint, position] of [
      ["€", "€", 0x20ac, 1],
      ["5 € = 5 €", "€", 0x20ac, 3],
      ["Grüße 😀 €", "😀", 0x1f600, 7],
      ["Ā", "Ā", 0x100, 1],
      ["\uffff", "\uffff", 0xffff, 1],
    ] as const) {
      assert.deepEqual(findNonLatin1(text), { character, codePoint, position });
    }
  });
});

describe("percentEncodeLatin1", () => {
  it("writes one byte for a character, upper-case, and + for a blank", () => {
    assert.equal(percentEncodeLatin1("Grüße & 100%"), "Gr%FC%DFe+%26+100%25");
    assert.equal(percentEncodeLatin1("a+b=c"), "a%2Bb%3Dc");
    assert.equal(percentEncodeLatin1("\u0000\n\r\t~ÿ\u00a0"), "%00%0A%0D%09%7E%FF%A0");
  });

  it("agrees with URLSearchParams on ASCII", () => {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code);
      const expected = new URLSearchParams([["", character]]).toString().slice(1);
      assert.equal(percentEncodeLatin1(character), expected, `U+${code.toString(16)}`);
    }
  });

  it("round-trips when the bytes are read as Latin-1", () => {
    fc.assert(
      fc.property(latin1Text, (text) => {
        const encoded = percentEncodeLatin1(text);
        assert.match(encoded, /^(?:[A-Za-z0-9*\-._+]|%[0-9A-F]{2})*$/);
        const decoded = encoded
          .replaceAll("+", " ")
          .replace(/%(..)/g, (_, hex: string) => Buffer.from(hex, "hex").toString("latin1"));
        assert.equal(decoded, text);
      }),
    );
  });
});
