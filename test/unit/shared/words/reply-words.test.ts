import assert from "node:assert/strict";
import { WAIT_DEFAULTS } from "../../../../lib/shared/fields/wait-fields";
import {
  type ReplyWordSettings,
  ReplyWords,
  type ReplyWordsFault,
} from "../../../../lib/shared/words/reply-words";

const settings = (given: Partial<ReplyWordSettings>): ReplyWordSettings => ({ ...WAIT_DEFAULTS, ...given });

function wordsOf(given: Partial<ReplyWordSettings>): ReplyWords {
  const read = ReplyWords.read(settings(given));
  assert.ok(read.ok, JSON.stringify(read));
  return read.words;
}

function faultOf(given: Partial<ReplyWordSettings>): ReplyWordsFault {
  const { ok, ...fault } = ReplyWords.read(settings(given)) as { readonly ok: boolean } & ReplyWordsFault;
  assert.equal(ok, false, JSON.stringify(given));
  return fault as ReplyWordsFault;
}

describe("words of replies", () => {
  it("matches the whole text without case, accents, punctuation and emoji", () => {
    const words = wordsOf({ match: "words", words: "Yes, Ça va; no thanks\n1" });
    for (const [text, word] of [
      ["YES!", "Yes"],
      ["  yes 👍🏽", "Yes"],
      ["ca va?", "Ça va"],
      ["No, thanks.", "no thanks"],
      ["1.", "1"],
      ["١", "1"],
      ["१", "1"],
      ["ＹＥＳ", "Yes"],
    ]) {
      assert.deepEqual(words.find(text!), { word }, text);
    }
    for (const text of ["", "👍", "yes please", "nothanks", "11", `yes${"!".repeat(1_000)}`]) {
      assert.equal(words.find(text), null, text);
    }
    assert.deepEqual(words.find(`yes${"!".repeat(997)}`), { word: "Yes" });
  });

  it("matches the beginning of the text, the longest entry first", () => {
    const words = wordsOf({ match: "start", words: "Yes, No; no thanks" });
    for (const [text, word] of [
      ["yes", "Yes"],
      ["YES, I will come", "Yes"],
      ["No, thanks!", "no thanks"],
      ["no thank you", "No"],
      [`yes ${"x".repeat(5_000)}`, "Yes"],
    ]) {
      assert.deepEqual(words.find(text!), { word }, text);
    }
    for (const text of ["", "yesterday", "I say yes", "nothing"]) {
      assert.equal(words.find(text), null, text);
    }
    assert.deepEqual(faultOf({ match: "start", words: " , " }), { setting: "words", fault: "none" });
  });

  it("refuses settings without words or a valid pattern", () => {
    for (const words of ["", " , ;\n", "、"]) {
      assert.deepEqual(faultOf({ match: "words", words }), { setting: "words", fault: "none" });
    }
    assert.deepEqual(faultOf({ match: "words", words: "yes, ?!" }), {
      setting: "words",
      fault: "empty",
      entry: "?!",
    });
    assert.deepEqual(faultOf({ match: "words", words: `yes, ${"n".repeat(101)}` }), {
      setting: "words",
      fault: "long",
      entry: `${"n".repeat(40)}…`,
    });
    assert.deepEqual(faultOf({ match: "pattern", pattern: " " }), { setting: "pattern", fault: "blank" });
    assert.deepEqual(faultOf({ match: "pattern", pattern: "a: (b" }), {
      setting: "pattern",
      fault: "pattern",
      reason: "Unterminated group",
    });
    // Without the flag it would be a text of its own.
    assert.equal(faultOf({ match: "pattern", pattern: String.raw`\-` }).fault, "pattern");
  });

  it("refuses look-around and back-references, but not their characters in a class or escaped", () => {
    for (const pattern of [
      "yes(?! but)",
      "(?=yes)",
      "(?<=a)b",
      "(?<!a)b",
      String.raw`(a)\1`,
      String.raw`(?<n>a)\k<n>`,
    ]) {
      assert.deepEqual(faultOf({ match: "pattern", pattern }), { setting: "pattern", fault: "look-around" });
    }
    for (const pattern of ["[(?=]", String.raw`\(\?=`, String.raw`\\(?:1)`, "(?<n>a)", "(?:yes|ok)"]) {
      assert.equal(wordsOf({ match: "pattern", pattern }).pattern, pattern);
    }
  });
});
