import assert from "node:assert/strict";
import { isVariable, variableName } from "../../../lib/shared/variable-name";

describe("names of environment variables", () => {
  const CASES: readonly (readonly [text: string, name: string | null])[] = [
    ["${NAME}", "NAME"],
    ["$(NAME)", "NAME"],
    [" ${NAME}\n", "NAME"],
    ["${MY NAME}", "MY NAME"],
    ["${}", null],
    ["$NAME", null],
    ["{NAME}", null],
    ["x${NAME}", null],
    ["${NAME}x", null],
    ["${A}${B}", null],
    ["", null],
  ];
  for (const [text, name] of CASES) {
    it(`${JSON.stringify(text)} → ${name}`, () => assert.equal(variableName(text), name));
  }

  it("are replaced by Node-RED in a text without blanks and with a plain name", () => {
    for (const text of ["${NAME}", "$(NAME)", "${_a1}"]) {
      assert.equal(isVariable(text), true, text);
    }
    for (const text of [
      " ${NAME}",
      "${NAME}\n",
      "${MY NAME}",
      "${1A}",
      "${A-B}",
      "${NAME)",
      "$NAME",
      "x${NAME}",
      "",
    ]) {
      assert.equal(isVariable(text), false, text);
    }
  });
});
