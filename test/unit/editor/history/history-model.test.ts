import assert from "node:assert/strict";
import { queryOf, type SearchForm } from "../../../../lib/editor/history/history-model";

const NOW = Date.parse("2025-06-10T12:00:00Z");
const HOUR = 3_600_000;

const BLANK: SearchForm = {
  by: "number",
  text: "",
  outcome: "",
  node: "",
  range: "any",
  from: "",
  to: "",
};
const ask = (given: Partial<SearchForm>) => queryOf({ ...BLANK, ...given }, NOW);

describe("what the search form asks for", () => {
  it("is nothing where nothing is filled in", () => {
    assert.deepEqual(ask({}), {});
    assert.deepEqual(ask({ text: "   " }), {});
  });

  it("is a name where a text has letters, and a number else", () => {
    assert.deepEqual(ask({ text: " Müller " }), { name: "Müller" });
    assert.deepEqual(ask({ text: "079 111" }), { number: "079 111" });
    assert.deepEqual(ask({ by: "clientMessageId", text: "order" }), { clientMessageId: "order" });
    assert.deepEqual(ask({ by: "conversation", text: "Carla" }), { number: "Carla" });
  });

  it("is one kind of id, with outcome and node", () => {
    assert.deepEqual(ask({ text: " +41 79 1 " }), { number: "+41 79 1" });
    assert.deepEqual(ask({ by: "transferId", text: "t1", outcome: "unknown", node: "n1" }), {
      transferId: "t1",
      outcome: "unknown",
      node: "n1",
    });
  });

  it("is a time before now, or between two local times, the last minute included", () => {
    assert.deepEqual(ask({ range: "hour" }), { from: NOW - HOUR });
    assert.deepEqual(ask({ range: "week", from: "2025-01-01T00:00" }), { from: NOW - 7 * 24 * HOUR });
    const between = { range: "between" as const, from: "2025-06-01T08:00", to: "2025-06-01T09:30" };
    assert.deepEqual(ask(between), {
      from: new Date(2025, 5, 1, 8, 0).getTime(),
      to: new Date(2025, 5, 1, 9, 31).getTime(),
    });
    assert.deepEqual(ask({ ...between, to: "" }), { from: new Date(2025, 5, 1, 8, 0).getTime() });
    assert.deepEqual(ask({ ...between, from: "", to: "no time" }), {});
  });
});
