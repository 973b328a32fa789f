import assert from "node:assert/strict";
import { MAX_DEPTH, parseJson } from "../../../../lib/webhook/gates/parse-json";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

describe("JSON from outside", () => {
  const TEXTS: readonly [what: string, text: string, unparsed: string][] = [
    ["one level too many", nested(MAX_DEPTH + 1), "too-deep"],
    ["a million levels", nested(1_000_000), "too-deep"],
    ["levels of objects", `${'{"a":'.repeat(MAX_DEPTH)}{}${"}".repeat(MAX_DEPTH)}`, "too-deep"],
    ["levels of lists and objects", `[1,{"a":[2,${nested(MAX_DEPTH - 1)}]}]`, "too-deep"],
    ["__proto__", ' {"content":"hi", "__proto__":{"polluted":1}}\n', "forbidden-key"],
    ["__proto__ with escapes", '{"\\u005f_proto__":1}', "forbidden-key"],
    ["constructor.prototype", '{"a":[{"constructor":{"prototype":{}}}]}', "forbidden-key"],
  ];
  it("keeps a body as text when its value is dangerous", () => {
    for (const [what, text, unparsed] of TEXTS) {
      assert.deepEqual(parseJson(Buffer.from(text)), { ok: true, value: text, unparsed }, what);
    }
  });

  const VALUES: readonly [what: string, text: string, value: unknown][] = [
    ["as deep as it may be", nested(MAX_DEPTH), JSON.parse(nested(MAX_DEPTH))],
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
  it("reads any other JSON as its value", () => {
    for (const [what, text, value] of VALUES) {
      assert.deepEqual(parseJson(Buffer.from(text)), { ok: true, value, unparsed: null }, what);
    }
  });

  const REFUSED: readonly [what: string, bytes: Buffer, reason: string][] = [
    ["nothing", Buffer.alloc(0), "empty"],
    ["a byte order mark and nothing else", Buffer.from("\ufeff"), "not-json"],
    ["Latin-1", Buffer.from('"\xfc"', "latin1"), "not-utf8"],
    ["deep, and never closed", Buffer.from("[".repeat(1_000_000)), "not-json"],
    ["__proto__ in what is no JSON", Buffer.from('{"__proto__":1'), "not-json"],
  ];
  it("refuses a body that is no JSON in UTF-8", () => {
    for (const [what, bytes, reason] of REFUSED) {
      assert.deepEqual(parseJson(bytes), { ok: false, reason }, what);
    }
  });
});
