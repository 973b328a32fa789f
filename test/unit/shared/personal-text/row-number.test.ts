import assert from "node:assert/strict";
import { numberColumn } from "../../../../lib/shared/personal-text/row-number";

describe("number of a row", () => {
  const CASES: readonly [row: object, chosen: string, found: object][] = [
    [{ name: "Anna", Mobile: "+41" }, "", { column: "Mobile" }],
    [{ "Phone-Number": 1, name: 2 }, "", { column: "Phone-Number" }],
    [{ "Tel. Nr": 1 }, "", { column: "Tel. Nr" }],
    [{ phone: 1, Handy: 2 }, "", { fault: "several", columns: ["phone", "Handy"] }],
    [{ phone: 1, Handy: 2 }, "Handy", { column: "Handy" }],
    [{ "\uFEFFHandy": 1, Name: 2 }, "", { column: "\uFEFFHandy" }],
    [{ "\uFEFFWhom": 1, Name: 2 }, "Whom", { column: "\uFEFFWhom" }],
    [{ a: 1, b: 2 }, "", { fault: "none", columns: ["a", "b"] }],
    [{ a: 1 }, "b", { fault: "none", columns: ["a"] }],
    [{ a: 1 }, "toString", { fault: "none", columns: ["a"] }],
  ];
  for (const [row, chosen, found] of CASES) {
    it(`finds the number of ${JSON.stringify(row)} with '${chosen}'`, () => {
      assert.deepEqual(numberColumn(row as never, chosen), found);
    });
  }
});
