import assert from "node:assert/strict";
import { mock } from "node:test";
import { isSlowPattern } from "../../../../lib/editor/checks/slow-pattern";

describe("patterns that are too slow", () => {
  /**
   * A quarter of the processor time of this process, in ms: what else the computer does takes nothing of the time for a pattern,
   * and a collection of garbage beside a quick one does not make it slow.
   */
  const used = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 4000;
  };
  let clock = used;
  // Once for all: a mock of a mock would stay when both are restored.
  before(() => mock.method(performance, "now", () => clock()));
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
    const pattern = "^any of many texts$";
    const { test } = RegExp.prototype;
    let [time, tried] = [0, 0];
    clock = () => time;
    mock.method(RegExp.prototype, "test", function (this: RegExp, text: string): boolean {
      if (this.source !== pattern) {
        return test.call(this, text);
      }
      tried++;
      time += 4;
      return false;
    });
    assert.equal(isSlowPattern(pattern), false);
    assert.deepEqual([tried, time], [25, 100]);
  });
});
