import assert from "node:assert/strict";
import { readPasted } from "../../../../lib/editor/personal-text/read-pasted";

describe("pasted row", () => {
  const anna = { row: { name: "Anna Muster", mobile: "+41 79" } };
  const CASES: readonly [name: string, pasted: string, read: unknown][] = [
    ["tabs of a spreadsheet", "name\tmobile\r\nAnna Muster\t+41 79\r\nBen\t2", anna],
    ["semicolons", "\n name ; mobile\nAnna Muster;+41 79", anna],
    ["commas", "name,mobile\nAnna Muster,+41 79\n", anna],
    ["one column", "name\nAnna", { row: { name: "Anna" } }],
    ["blank lines", "name\n\n;\nAnna", { row: { name: ";" } }],
    ["a line without its last cells", "a;b;c\n1", { row: { a: "1", b: "", c: "" } }],
    ["a column without a name", "a;;c\n1;2;3", { row: { a: "1", c: "3" } }],
    [
      "cells in quotes",
      'name;note\n"Muster; ""Anna""";"two\nlines"',
      { row: { name: 'Muster; "Anna"', note: "two\nlines" } },
    ],
    ["a quote within a cell", 'size;name\n5" nail;A', { row: { size: '5" nail', name: "A" } }],
    ["an object", '{"name":"Anna Muster","mobile":"+41 79"}', anna],
    ["a list", '[{"name":"Anna Muster","mobile":"+41 79"},{"name":"Ben"}]', anna],
    ["a message", '{"payload":{"name":"A"}}', { message: { payload: { name: "A" } } }],
    ["nothing", " \n ", "empty"],
    ["JSON with a mistake", '{"name":', "json"],
    ["JSON without an object", '["+41"]', "no-object"],
    ["a head alone", "name;mobile\n\n", "one-line"],
  ];
  it("reads a head and a row of a spreadsheet, a CSV file or JSON", () => {
    for (const [name, pasted, read] of CASES) {
      assert.deepEqual(readPasted(pasted), read, name);
    }
  });
});
