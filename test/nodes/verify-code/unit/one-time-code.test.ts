import assert from "node:assert/strict";
import {
  ALPHABETS,
  fillTemplate,
  newCode,
  plainCode,
} from "../../../../nodes/verify-code/runtime/one-time-code";
import { hasCode } from "../../../../nodes/verify-code/shared/code-fields";

describe("one-time codes", () => {
  for (const characters of ["digits", "letters"] as const) {
    it(`of ${characters} have the length that is asked for, and every character about as often`, () => {
      const alphabet = ALPHABETS[characters];
      const counts = new Map([...alphabet].map((character) => [character, 0]));
      const codes = Array.from({ length: 2_000 }, () => newCode(12, characters));
      for (const code of codes) {
        assert.equal(code.length, 12);
        for (const character of code) {
          const count = counts.get(character);
          assert.ok(count !== undefined, character);
          counts.set(character, count + 1);
        }
      }
      const expected = 24_000 / alphabet.length;
      // Six standard deviations: a modulo of a byte is 4 % off with ten characters, and more with nineteen.
      const most = 6 * Math.sqrt(expected);
      for (const [character, count] of counts) {
        assert.ok(Math.abs(count - expected) < most, `${character}: ${count} of ${expected}`);
      }
      assert.ok(new Set(codes).size > 1_990, "codes repeat");
    });
  }

  it("are read whatever case, blanks and dashes they are typed with", () => {
    for (const typed of ["BCD-FGH", " bcd fgh\n", "b\u00a0c d\u2013f\u2011g\u200bh", "ＢＣＤＦＧＨ"]) {
      assert.equal(plainCode(typed), "BCDFGH", JSON.stringify(typed));
    }
    assert.equal(plainCode("012 345"), "012345");
    assert.equal(plainCode("１２３"), "123");
    assert.equal(plainCode("٤١٣ ٦٥٨"), "413658");
    assert.equal(plainCode("४१३६५८"), "413658");
    assert.notEqual(plainCode("1.2"), "12");
    assert.equal(plainCode("9".repeat(1_000_000)).length, 100);
  });

  it("stand in the text where the template says so, also with characters that have a meaning elsewhere", () => {
    const template = "{{code}} / {{ code }}: {{minutes}} min, {{  minutes  }} $& {{other}} {code}";
    assert.equal(fillTemplate(template, "$1A", 150_000), "$1A / $1A: 2 min, 2 $& {{other}} {code}");
    for (const good of ["{{code}}", "a {{ code }} b", "{{\tcode}}"]) {
      assert.ok(hasCode(good), good);
    }
    for (const bad of ["", "code", "{code}", "{{ co de }}", "{{minutes}}", "{{Code}}"]) {
      assert.ok(!hasCode(bad), bad);
    }
  });
});
