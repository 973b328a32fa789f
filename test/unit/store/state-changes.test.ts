import assert from "node:assert/strict";
// Its statements belong to no class of the store.
import "../../../lib/store/instance-loads";
import "../../../lib/store/store";
import { allStatements, type Statement } from "../../../lib/store/schema/statement";

const CHANGE = /UPDATE (outbox|waits|replies|digests)\s+SET\s/;
/** Column of the state, by table. */
const STATE: Readonly<Record<string, string>> = {
  outbox: "state",
  waits: "phase",
  replies: "state",
  digests: "phase",
};

/** What stands in no parentheses. */
function outermost(text: string): string {
  let depth = 0;
  let found = "";
  for (const letter of text) {
    if (letter === "(") depth++;
    if (depth === 0) found += letter;
    if (letter === ")") depth--;
  }
  return found;
}

/** The condition on the row itself; null for a statement that changes no state. */
function ownCondition(text: string): { readonly column: string; readonly where: string } | null {
  const [begin, table = ""] = CHANGE.exec(text) ?? [];
  if (begin === undefined) return null;
  // `coalesce(state, '') IN (…)` names the state as well.
  const update = text.slice(text.indexOf(begin)).replaceAll(/coalesce\((?:\w+\.)?(\w+), ''\)/g, "$1");
  const [, set = "", where = ""] = /SET\s([\s\S]*?)(?:\sWHERE\s([\s\S]*))?$/.exec(outermost(update)) ?? [];
  const column = STATE[table] ?? "";
  return new RegExp(`(?:^|,)\\s*${column}\\s*=`).test(set.split(/\sFROM\s/)[0] ?? "")
    ? { column, where }
    : null;
}

/** Those of the package that change a state. */
const changing = (): readonly Statement[] =>
  allStatements().filter(
    ({ name, text }) => !name.startsWith("test_") && ownCondition(text("sqlite")) !== null,
  );

describe("a statement that changes a state", () => {
  it("names the state that the row comes from", () => {
    const found = changing();
    assert.ok(found.length > 25, `${found.length}`);
    for (const { name, text } of found) {
      for (const dialect of ["sqlite", "postgresql"] as const) {
        const { column, where } = ownCondition(text(dialect)) ?? { column: "", where: "" };
        const condition = new RegExp(`\\b(?:\\w+\\.)?${column}\\s*(?:=|IN\\b)`);
        assert.match(where, condition, `${name} in ${dialect}`);
      }
    }
  });
});
