import assert from "node:assert/strict";
import { DEEPEST, parseJson } from "../../../../lib/webhook/gates/parse-json";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

describe("JSON from outside", () => {
  const TEXTS: readonly [what: string, text: string, unparsed: string][] = [
    ["one level too many", nested(DEEPEST + 1), "too-deep"],
    ["a million levels", nested(1_000_000), "too-deep"],
    ["levels of objects", `${'{"a":'.repeat(DEEPEST)}{}${"}".repeat(DEEPEST)}`, "too-deep"],
    ["levels of lists and objects", `[1,{"a":[2,${nested(DEEPEST - 1)}]}]`, "too-deep"],
    ["__proto__", ' {"content":"hi", "__proto__":{"polluted":1}}\n', "forbidden-key"],
    ["__proto__ with escapes", '{"\\u005f_proto__":1}', "forbidden-key"],
    ["constructor.prototype", '{"a":[{"constructor":{"prototype":{}}}]}', "forbidden-key"],
  ];
  for (const [what, text, unparsed] of TEXTS) {
    it(`stays the text that it is: ${what}`, () => {
      assert.deepEqual(parseJson(Buffer.from(text)), { ok: true, value: text, unparsed });
      const marked = Buffer.concat([Buffer.from("\ufeff"), Buffer.from(text)]);
      assert.deepEqual(parseJson(marked), { ok: true, value: text, unparsed }, "without its byte order mark");
    });
  }

  const VALUES: readonly [what: string, text: string, value: unknown][] = [
    ["as deep as it may be", nested(DEEPEST), JSON.parse(nested(DEEPEST))],
    ["a text", '"a"', "a"],
    ["a text that holds JSON", '"{\\"__proto__\\":1}"', '{"__proto__":1}'],
    ["null", "null", null],
    ["false", "false", false],
    ["a number", "-0.5e1", -5],
    ["a number beyond all numbers", "1e999", Number.POSITIVE_INFINITY],
    ["white space around", "\r\n\t {} ", {}],
    ["a key twice", '{"a":1,"a":2}', { a: 2 }],
    ["a constructor that reaches nothing", '{"constructor":"Ltd."}', { constructor: "Ltd." }],
    ["half a surrogate pair", '"\\ud800"', "\ud800"],
  ];
  for (const [what, text, value] of VALUES) {
    it(`is read: ${what}`, () => {
      assert.deepEqual(parseJson(Buffer.from(text)), { ok: true, value, unparsed: null });
    });
  }

  const REFUSED: readonly [what: string, bytes: Buffer, reason: string][] = [
    ["nothing", Buffer.alloc(0), "empty"],
    ["a byte order mark and nothing else", Buffer.from("\ufeff"), "not-json"],
    ["Latin-1", Buffer.from('"\xfc"', "latin1"), "not-utf8"],
    ["deep, and never closed", Buffer.from("[".repeat(1_000_000)), "not-json"],
    ["__proto__ in what is no JSON", Buffer.from('{"__proto__":1'), "not-json"],
  ];
  for (const [what, bytes, reason] of REFUSED) {
    it(`is refused: ${what}`, () => {
      assert.deepEqual(parseJson(bytes), { ok: false, reason });
    });
  }
});
