import assert from "node:assert/strict";
import { CsvTable, csvFile } from "../../../../../lib/runtime/store/history/csv-table";
import { CSV_FORMS, type CsvForm } from "../../../../../lib/shared/csv";
import { say } from "../../../../../lib/texts/say";
import { csvRequest } from "../../../../support/csv/csv-request";
import { readCsv } from "../../../../support/csv/read-csv";

const tableOf = (form: CsvForm, zone = "UTC"): CsvTable => new CsvTable(csvRequest({ form, zone }));

const HOSTILE = ["=cmd()", "a;=cmd()", 'a,b;"=cmd()"', "a\n@cmd()", "a\t+cmd()", '"; -cmd()', '";"=cmd()";"'];

/** Texts that a spreadsheet would change: by what somebody may name things. */
const CHANGED = [
  "0012",
  "12345678901234567890",
  "1e5",
  "8137510982734e12",
  "1.5",
  "1,234",
  "10-12",
  "3/4",
  "31.12.2026",
  "08:15",
  "8:15 PM",
  "50%",
  "(12)",
  " 7",
  "Mar 1",
  "1. Mai",
  "DEC-12",
  "2026-Oct-03",
  "TRUE",
  "falsch",
];
const UNCHANGED = [
  "order-17",
  "Maria 7",
  "Mai",
  "a1b2",
  "550e8400-e29b-41d4-a716-446655440000",
  "12 pieces",
  "",
];

describe("a text in a table", () => {
  const ROWS: readonly (readonly [value: string | null, cell: string])[] = [
    ["plain", "plain"],
    [null, ""],
    ["a,b", '"a,b"'],
    ["a;b; c-d", '"a;b; c-d"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\r\nlines", '"two\r\nlines"'],
    ["=1+1", "'=1+1"],
    ["+41", "'+41"],
    ["-2", "'-2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", `"'\t'=1"`],
    ["\tx", `"'\tx"`],
    [' "=1"', `"' ""=1"""`],
    ["\r=1", `"'\r'=1"`],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ["＝1", "'＝1"],
    ["a=1", "a=1"],
    ["a;=1;-2", `"a;'=1;'-2"`],
    ["a; @SUM(A1)", `"a;' @SUM(A1)"`],
    ['a,b;"=1"', `"a,b;'""=1"""`],
    ["a\n+1", `"a\n'+1"`],
    ["a\r\n＝1", `"a\r\n'＝1"`],
    ["a;\t=1", `"a;\t'=1"`],
  ];
  it("has no formula in any form, and quotes what its separator would split", () => {
    for (const [value, cell] of ROWS) {
      for (const form of CSV_FORMS) assert.equal(tableOf(form).text(value), cell);
    }
  });

  it("that a spreadsheet would change is a text to it, and as it is for programs", () => {
    for (const text of CHANGED) {
      for (const form of ["comma", "semicolon"] as const) {
        const [[cell] = []] = readCsv(`${tableOf(form).text(text)}\r\n`, form === "comma" ? "," : ";");
        assert.equal(cell, `="${text}"`);
      }
      assert.equal(readCsv(`${tableOf("programs").text(text)}\r\n`)[0]?.[0], text);
    }
    for (const text of UNCHANGED) {
      assert.equal(tableOf("comma").text(text), text);
    }
  });
});

describe("a line of a table", () => {
  /** As a spreadsheet reads it that expects something else between its cells, and quotes at the beginning of a cell only. */
  const cellsOf = (line: string, separator: string): readonly string[] => {
    const cell = new RegExp(`(?:"(?:[^"]|"")*"|)[^${separator}\\r\\n]*`, "g");
    return (line.match(cell) ?? []).map((each) =>
      each.replace(/^"((?:[^"]|"")*)"/, "$1").replaceAll('""', '"'),
    );
  };

  it("has no formula for a program that splits it at another separator", () => {
    for (const table of CSV_FORMS.map((form) => tableOf(form))) {
      for (const separator of [",", ";", "\t"]) {
        const line = table.line(["first", ...HOSTILE, "last"].map((text) => table.text(text)));
        for (const cell of cellsOf(line, separator)) {
          assert.doesNotMatch(cell, /^[\s"]*[=+\-@]/);
        }
      }
    }
  });
});

describe("numbers, times and words in a table", () => {
  it("writes unknown dates and invalid numbers unchanged", () => {
    const table = tableOf("semicolon", "Europe/Zurich");
    for (const at of [
      "+275760-09-13T00:00:00.000Z",
      "-000001-01-01T00:00:00.000Z",
      "1600-01-01T00:00:00.000Z",
    ]) {
      assert.equal(table.time(at), at);
    }
    assert.equal(table.time(null), "");
    assert.equal(table.phone("+=cmd()"), "'+=cmd()");
  });
});

describe("a table as a file", () => {
  async function* pages(count: number): AsyncGenerator<number, void, undefined> {
    for (let page = 0; page < count; page++) yield page;
  }
  async function written(form: CsvForm, language: string): Promise<string> {
    const table = new CsvTable(csvRequest({ form, language, header: ["=Größe", "0012"] }));
    let text = "";
    const cells = (page: number): readonly string[] => [
      table.text(say("record.outcome.sent")),
      table.count(page),
    ];
    for await (const chunk of csvFile(table, ["size", "id"], pages(1), (page) => [page], cells)) {
      text += chunk;
    }
    return text;
  }

  it("starts with the reader's mark, in the language of the request", async () => {
    const german = await written("semicolon", "de-CH");
    assert.ok(german.startsWith("\uFEFF'=Größe;"), "spreadsheets would not read it as UTF-8");
    const [, [said] = []] = readCsv(german, ";");
    assert.notEqual(said, say("record.outcome.sent"));
    const [head, [english] = []] = readCsv(await written("programs", "fr"));
    assert.deepEqual(head, ["size", "id"]);
    assert.equal(english, say("record.outcome.sent"), "afterwards Node-RED's language is as before");
    assert.ok(!(await written("programs", "fr")).startsWith("\uFEFF"), "a part of the first title");
  });
});
