import assert from "node:assert/strict";
import { parseProblem, stringifyProblem } from "../../../../lib/runtime/fields/json-problem";
import { setLanguage } from "../../../../lib/texts/say";
import { findEnglish } from "../../../support/locales/english-words";

const errorOf = (action: () => unknown): Error => {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  return assert.fail("nothing was thrown");
};

describe("problems of JSON", () => {
  afterEach(() => setLanguage(() => "en-US"));

  for (const [text, problem] of [
    ["", /ends too early/],
    ["nul", /ends too early/],
    ["{", /character 2\b/],
    ['{"a" 1}', /character 6\b/],
    ["[1,]", /^'\]' /],
    ["\u0001", /^'\\u0001' /],
    ["😀", /^'.+' is not expected/],
    ["[object Object]", /'\[object Object\]': a value/],
    ["undefined", /'undefined': a value/],
  ] as const) {
    it(`say what is wrong with ${JSON.stringify(text)}, in German too`, () => {
      const error = errorOf(() => JSON.parse(text));
      assert.match(parseProblem(error), problem);
      setLanguage(() => "de");
      assert.equal(findEnglish(parseProblem(error)), null);
    });
  }

  it("say why a value has no JSON", () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const problems = [circular, 1n].map((value) => stringifyProblem(errorOf(() => JSON.stringify(value))));
    assert.deepEqual(problems, ["it contains itself", "it contains a BigInt"]);
  });
});
