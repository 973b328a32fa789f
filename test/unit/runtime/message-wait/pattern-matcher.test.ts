import assert from "node:assert/strict";
import { PatternMatcher } from "../../../../lib/runtime/message-wait/pattern-matcher";
import { waitFor } from "../../../support/wait-for";

describe("patterns of replies", () => {
  const patterns = new PatternMatcher();

  it("are found anywhere in the text, in any case, in characters and not in halves of them", async () => {
    const find = (text: string): Promise<boolean | null> =>
      patterns.find(String.raw`^(?:yes|ja)\b|^.$`, text);
    for (const text of ["Yes, of course", "JA", "👍", "x"]) {
      assert.equal(await find(text), true, text);
    }
    for (const text of ["oh yes", "yesterday", "", "👍👍"]) {
      assert.equal(await find(text), false, text);
    }
  });

  it("see the first 1,000 characters", async () => {
    assert.equal(await patterns.find("yes", `${"-".repeat(997)}yes`), true);
    assert.equal(await patterns.find("yes", `${"-".repeat(998)}yes`), false);
  });

  it("hold up neither this thread nor the texts behind, whatever text comes", async () => {
    let turns = 0;
    const counter = setInterval(() => turns++, 1);
    const answers = await Promise.all([
      patterns.find(String.raw`^(\w+\s?)*$`, `${"a".repeat(60)}!`),
      patterns.find("yes", "Yes"),
      patterns.find("(a+)+$", `${"a".repeat(60)}!`),
      patterns.find("yes", "no"),
    ]);
    clearInterval(counter);
    assert.deepEqual(answers, [null, true, null, false]);
    assert.ok(turns > 10, `${turns} turns of the event loop`);
  });

  it("have their answer also where this thread was busy meanwhile", async () => {
    const answer = patterns.find("yes", "Yes");
    const until = performance.now() + 300;
    while (performance.now() < until);
    assert.equal(await answer, true);
  });

  it("are not known where the thread cannot run, and the next one tries again", async () => {
    const without = new PatternMatcher("/nowhere/thread.js");
    assert.deepEqual([await without.find("yes", "yes"), await without.find("no", "no")], [null, null]);
    await waitFor("the thread to be given up", () => !without.isRunning);
  });
});
