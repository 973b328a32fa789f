import assert from "node:assert/strict";
import { rowNames } from "../../../../lib/shared/personal-text/row-name";

describe("name of a row", () => {
  const CASES: readonly [row: object, chosen: string, name: string | null][] = [
    [{ name: "Anna", mobile: "+41" }, "", "Anna"],
    [{ "\uFEFFName": " Anna  Muster ", mobile: "+41" }, "", "Anna Muster"],
    [{ Nachname: "Muster", Vorname: "Anna" }, "", "Anna Muster"],
    [{ Name: "Muster", Vorname: "Anna" }, "", "Anna Muster"],
    [{ first_name: "Anna", "Last Name": "Muster", name: "am" }, "", "Anna Muster"],
    [{ Vorname: "", Nachname: "Muster" }, "", "Muster"],
    [{ Firma: "Muster AG", mobile: "+41" }, "", null],
    [{ Firma: "Muster AG", name: "Anna" }, "Firma", "Muster AG"],
    [{ a: "Anna", b: "Muster" }, "b, a", "Muster Anna"],
    [{ name: "Anna" }, "nobody", null],
    [{ name: 7 }, "", null],
    [{ name: " " }, "", null],
    [{ name: "x".repeat(100) }, "", `${"x".repeat(60)}…`],
    [{ name: `${"x".repeat(59)}😀` }, "", `${"x".repeat(59)}…`],
    [{ name: "A\u0000B" }, "", "A\\u0000B"],
    [{ name: "+41 44 123 45 67" }, "", null],
    [{ name: "anna@example.com" }, "", null],
    [{ name: "Anna 0441234567" }, "", null],
    [{ flat: "12345" }, "flat", "12345"],
    [{ contact: "Anna" }, "", null],
  ];
  for (const [row, chosen, name] of CASES) {
    it(`of ${JSON.stringify(row)} with '${chosen}'`, () => {
      assert.equal(rowNames([row], chosen)(row), name);
    });
  }

  it("is read from all rows by the columns of the first ones, and from nothing else", () => {
    const nameOf = rowNames(["+41", { mobile: "+41" }, { name: "Anna" }], "");
    assert.deepEqual([{ name: "Beat" }, { kunde: "Carla" }, "+41", null].map(nameOf), [
      "Beat",
      null,
      null,
      null,
    ]);
  });
});
