import assert from "node:assert/strict";
import { mock } from "node:test";
import { isSlowPattern } from "../../../../lib/editor/checks/slow-pattern";

describe("patterns that are too slow", () => {
  /** ms of this process: what else the computer does takes nothing of the time for a pattern. */
  const used = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  before(() => mock.method(performance, "now", used));
  after(() => mock.restoreAll());

  for (const pattern of [
    String.raw`^(\w+\s?)*$`,
    "(a+)+$",
    "^(a|a)*$",
    "^(?:yes|no) (x+)+$",
    "^(?:(?:yes|no)+ ?)+$",
    String.raw`^([\p{L}]+[ .]?)*$`,
    String.raw`^ok(\s*\d*)*;$`,
    "^no|^yes(.*)*b$",
    "^(?<all>[a-z]+)*[0-9]$",
    String.raw`^\w*\w*\w*\w*\w*-$`,
  ]) {
    it(`are found by hostile texts: ${pattern}`, () => assert.equal(isSlowPattern(pattern), true));
  }

  for (const pattern of [
    "yes",
    String.raw`^(?:yes|ja)\b|^.$`,
    String.raw`^\s*(?:yes|ok(?:ay)?|ja)[\s.!]*$`,
    String.raw`^(\w+\s)*$`,
    String.raw`\b\d{4,6}\b`,
    String.raw`^[\p{L}\s]{1,40}$`,
    "^[^0-9]*([0-9]+)",
    "(?=.*yes)(?!.*no)",
    "👍+",
  ]) {
    it(`are not those that stay quick: ${pattern}`, () => assert.equal(isSlowPattern(pattern), false));
  }

  it("are looked for during a short time, however many texts take long and none too long", () => {
    const start = used();
    const many = "^.*.*-$|^.*.*;$|^.*.*:$|^.*.*,$|abcdefghijklmnopqrstuvwx|bcdefghijklmnopqrstuvwxy";
    assert.equal(isSlowPattern(many), false);
    const took = used() - start;
    assert.ok(took < 400, `${took} ms`);
  });
});
