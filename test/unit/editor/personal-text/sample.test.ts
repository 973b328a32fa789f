import assert from "node:assert/strict";
import { sampleOf, sourcesOf } from "../../../../lib/editor/personal-text/sample";
import { PersonalText } from "../../../../lib/shared/personal-text/personal-text";
import { sampleValues } from "../../../../lib/editor/personal-text/sample-values";

const msg = (value: string) => ({ source: "msg", value });
const row = { name: "Anna", mobile: "+41" };

describe("sample of a dialog", () => {
  it("has the first row of a list that Recipients come from", () => {
    const sample = sampleOf({ payload: [row, { name: "Ben" }], topic: "t" }, msg("payload"));
    assert.deepEqual(sample, { message: { payload: row, topic: "t" }, row, rowPath: "payload" });
    assert.deepEqual(sourcesOf(sample), [row, { payload: row, topic: "t" }]);
  });

  it("has no row where Recipients are numbers or no property of the message", () => {
    for (const recipients of [msg("payload.mobile"), msg("to"), { source: "str", value: "payload" }]) {
      assert.equal(sampleOf({ payload: row, to: ["+41"] }, recipients).row, null);
    }
  });
});

describe("values of a sample", () => {
  const paths = (...given: Parameters<typeof sampleOf>) =>
    sampleValues(sampleOf(...given)).map(({ path }) => path);

  it("are texts, numbers, and yes and no, those of the payload first", () => {
    const message = {
      _msgid: "1",
      topic: "t",
      req: { url: "/" },
      payload: { name: "Anna", age: 5, active: false, blank: " ", nothing: null, deep: { city: "Bern" } },
    };
    assert.deepEqual(sampleValues(sampleOf(message, msg("to"))), [
      { path: "payload.name", example: "Anna" },
      { path: "payload.age", example: "5" },
      { path: "payload.active", example: "false" },
      { path: "payload.deep.city", example: "Bern" },
      { path: "topic", example: "t" },
    ]);
  });

  it("of a row have no path in front, and stand there once", () => {
    assert.deepEqual(paths({ topic: "t", payload: [row] }, msg("payload")), ["name", "mobile", "topic"]);
  });

  it("are the first entries of a list, and no names that braces cannot have", () => {
    const payload = { list: ["a", "b", "c", "d"], "#no": 1, "a}}b": 1, " x": 1, "Tel. 1": 2 };
    assert.deepEqual(paths({ payload }, msg("to")), [
      "payload.list.0",
      "payload.list.1",
      "payload.list.2",
      "payload.Tel. 1",
    ]);
  });

  it("have names without the byte order mark that Excel puts before the first one, as they are typed", () => {
    const excel = { "\uFEFFName": "Anna", Mobil: "079", "\uFEFFa": { b: 1 } };
    const sample = sampleOf({ payload: [excel] }, msg("payload"));
    const values = sampleValues(sample);
    assert.deepEqual(values, [
      { path: "Name", example: "Anna" },
      { path: "Mobil", example: "079" },
      { path: "a.b", example: "1" },
    ]);
    const written = new PersonalText(values.map(({ path }) => `{{${path}}}`).join(" "));
    assert.equal(written.render(sourcesOf(sample)), "Anna 079 1");
  });
});
