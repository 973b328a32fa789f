import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/packed-package";

/** Whatever ships: no text that comes from outside may become code. */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["eval", /\beval\s*\(/],
  ["a function made of text", /\bnew\s+Function\b|\bFunction\s*\(/],
  ["node:vm", /["'](?:node:)?vm["']/],
  ["a child process", /["'](?:node:)?child_process["']/],
  // Not a method of that name, which is declared with types.
  ["require of what is not a literal", /(?<![.#\w])require\s*\((?!\s*["']|\w+: )/],
  ["import of what is not a literal", /\bimport\s*\(\s*(?!["'])/],
  ["a timer that takes code", /\bset(?:Timeout|Interval)\s*\(\s*["'`]/],
];

/** Without comments, which may speak of such things. */
const codeOf = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");

const faultsOf = (source: string): readonly string[] =>
  FORBIDDEN.filter(([, pattern]) => pattern.test(codeOf(source))).map(([what]) => what);

describe("what ships", () => {
  it("is looked at rightly", () => {
    assert.deepEqual(faultsOf("eval(text); new Function(text); require(name); import(name)").length, 4);
    assert.deepEqual(faultsOf('// eval(text)\nrequire("./a"); void import("./b.js"); evaluate(1);'), []);
  });

  for (const folder of ["lib", "nodes", "plugins", "simulator"]) {
    it(`${folder} makes no code of text, and loads nothing by a name from outside`, () => {
      const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter((file) =>
        file.endsWith(".ts"),
      );
      assert.ok(files.length > 0);
      for (const file of files) {
        assert.deepEqual(faultsOf(readFileSync(join(ROOT, folder, file), "utf8")), [], join(folder, file));
      }
    });
  }
});
