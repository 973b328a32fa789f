import assert from "node:assert/strict";
import { csvCell, csvLine, csvOf } from "../../../../../lib/runtime/store/history/history-csv";
import { readHistory } from "../../../../../lib/runtime/store/history/history-view";
import { EXPORT_COLUMNS } from "../../../../../lib/shared/history";
import { answered, takeJob } from "../../../store/suite/store-under-test";
import { useAccountStore } from "../account-store";

describe("a cell of the export", () => {
  const ROWS: readonly (readonly [value: string | number | boolean | null, cell: string])[] = [
    ["plain", "plain"],
    [null, ""],
    [0, "0"],
    [-5, "-5"],
    [true, "true"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\r\nlines", '"two\r\nlines"'],
    ["=1+1", "'=1+1"],
    ["+41", "'+41"],
    ["-2", "'-2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t'=1"],
    ["\tx", "'\tx"],
    [' "=1"', `"' ""=1"""`],
    ["\r=1", `"'\r'=1"`],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ["＝1", "'＝1"],
    ["a=1", "a=1"],
    ["a;b; c-d", "a;b; c-d"],
    ["a;=1;-2", "a;'=1;'-2"],
    ["a; @SUM(A1)", "a;' @SUM(A1)"],
    ['a,b;"=1"', `"a,b;'""=1"""`],
    ["a\n+1", `"a\n'+1"`],
    ["a\r\n＝1", `"a\r\n'＝1"`],
    ["a;\t=1", "a;\t'=1"],
  ];
  for (const [value, cell] of ROWS) {
    it(`of ${JSON.stringify(value)} is ${JSON.stringify(cell)}`, () => assert.equal(csvCell(value), cell));
  }
});

describe("a line of the export", () => {
  /** As a spreadsheet reads it that expects something else between its cells, and quotes at the beginning of a cell only. */
  const cellsOf = (line: string, separator: string): readonly string[] => {
    const cell = new RegExp(`(?:"(?:[^"]|"")*"|)[^${separator}\\r\\n]*`, "g");
    return (line.match(cell) ?? []).map((each) =>
      each.replace(/^"((?:[^"]|"")*)"/, "$1").replaceAll('""', '"'),
    );
  };

  const HOSTILE = [
    "=cmd()",
    "a;=cmd()",
    'a,b;"=cmd()"',
    "a\n@cmd()",
    "a\t+cmd()",
    '"; -cmd()',
    '";"=cmd()";"',
  ];
  for (const separator of [",", ";", "\t"]) {
    it(`has no formula for who splits it at ${JSON.stringify(separator)}`, () => {
      const cells = cellsOf(csvLine(["first", ...HOSTILE, "last"]), separator);
      assert.ok(cells.length > HOSTILE.length || separator !== ",");
      for (const cell of cells) {
        assert.doesNotMatch(cell, /^[\s"]*[=+\-@]/);
      }
    });
  }
});

describe("the export of a history", () => {
  const use = useAccountStore();
  const HEADER = EXPORT_COLUMNS.map((column) => (column === "recipient" ? "=Empfänger" : column));

  async function linesOf(): Promise<readonly string[]> {
    let text = "";
    for await (const chunk of csvOf(readHistory(use(), { account: "a1" }), HEADER, (id) => `node ${id}`)) {
      text += chunk;
    }
    assert.ok(text.startsWith("\uFEFF"), "spreadsheets would not read it as UTF-8");
    assert.ok(text.endsWith("\r\n"));
    return text.slice(1, -2).split("\r\n");
  }

  it("has the header alone where nothing is found", async () => {
    assert.deepEqual(await linesOf(), [HEADER.join(",").replace("=Empfänger", "'=Empfänger")]);
  });

  it("has a line for each recipient, with ids that cannot become formulas", async () => {
    const { store, instances } = use();
    const [id = 0] = await takeJob(store, [{ clientMessageId: "=cmd()", recipients: ["41790000001"] }], {
      channel: "SMS",
    });
    await store.claims.claim("a1", instances.id, 1);
    await store.settlements.settle(instances.id, [answered(id, { transferId: "t,1" })]);
    const [, line = ""] = await linesOf();
    assert.match(
      line,
      /^20\d\d-[^,]+Z,41790000001,,SMS,node n1,n1,sms\.simple,'=cmd\(\),"t,1",done,sent,2000,/,
    );
    assert.equal(line.match(/,/g)?.length, EXPORT_COLUMNS.length, "a comma inside quotes, one between all");
  });

  it("goes through all pages", async () => {
    const recipients = Array.from({ length: 1_201 }, (_, at) => String(41790000000 + at));
    await takeJob(use().store, [{ recipients }]);
    const lines = await linesOf();
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(",")[1]),
      recipients,
    );
  });
});
