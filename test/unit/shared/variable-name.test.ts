import assert from "node:assert/strict";
import { variableName } from "../../../lib/shared/variable-name";

describe("names of environment variables", () => {
  const CASES: readonly (readonly [text: string, name: string | null])[] = [
    ["${NAME}", "NAME"],
    ["$(NAME)", "NAME"],
    [" ${NAME}\n", "NAME"],
    ["${MY NAME}", "MY NAME"],
    ["${}", null],
    ["x${NAME}", null],
    ["${NAME}x", null],
  ];
  for (const [text, name] of CASES) {
    it(`${JSON.stringify(text)} → ${name}`, () => assert.equal(variableName(text), name));
  }
});
