import assert from "node:assert/strict";
import { KnownTemplates } from "../../../../lib/runtime/account/known-templates";
import { MOST_TEMPLATES } from "../../../../lib/shared/known-template";

describe("known templates", () => {
  it("lists each template once, the latest first, up to a maximum", () => {
    const known = new KnownTemplates();
    for (const name of ["a", "a", "b", "a"]) known.add(name, "de");
    known.add("a", "en");
    assert.deepEqual(
      known.list.map(({ name, locale }) => `${name} ${locale}`),
      ["a en", "a de", "b de"],
    );
    for (let at = 0; at < MOST_TEMPLATES; at++) known.add(`t${at}`, "de");
    assert.deepEqual([known.list.length, known.list.at(-1)?.name], [MOST_TEMPLATES, "t0"]);
  });
});
