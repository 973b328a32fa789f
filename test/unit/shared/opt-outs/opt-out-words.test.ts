import assert from "node:assert/strict";
import { WEBHOOK_DEFAULTS } from "../../../../lib/shared/fields/webhook-defaults";
import { OptOutWords, type ReadOptOutWords } from "../../../../lib/shared/opt-outs/opt-out-words";

const wordsOf = (read: ReadOptOutWords): OptOutWords => {
  assert.ok(read.ok, JSON.stringify(read));
  return read.words;
};
const INITIAL = wordsOf(OptOutWords.read(WEBHOOK_DEFAULTS.stopWords, WEBHOOK_DEFAULTS.startWords));

const LISTED: readonly (readonly [text: string, change: "stop" | "start"])[] = [
  ["STOP", "stop"],
  ["Stop!", "stop"],
  ["  stop \n\t", "stop"],
  ["\u200bSTOP\ufeff", "stop"],
  ["ST\u00adOP", "stop"],
  ["STOP 🛑", "stop"],
  ["ＳＴＯＰ", "stop"],
  ["S\u0301top", "stop"],
  ["Stop-All", "stop"],
  ["Stop  \n all!", "stop"],
  ["opt-out", "stop"],
  ["Revoke.", "stop"],
  ["unsubscribe", "stop"],
  ["stopp", "stop"],
  ["Abmelden!", "stop"],
  ["«arrêt»", "stop"],
  ["ARRET", "stop"],
  ["Désabonner", "stop"],
  ["STOP SMS", "stop"],
  ["disiscrivimi", "stop"],
  ["¡Baja!", "stop"],
  ["start", "start"],
  ["UNSTOP", "start"],
  ["Reprendre", "start"],
  ["¿Alta?", "start"],
];

const OTHER: readonly string[] = [
  "",
  "🛑",
  "STOP 12345",
  "STOP12345",
  "STOP 1️⃣",
  "please stop",
  "stop it",
  "don't stop",
  "S T O P",
  "stops",
  "ѕтор",
  "STOP\n\nSent from my phone",
  "yes",
  "no",
  "Ende",
  "cancel",
  "basta",
  "parar mañana",
  "start stop",
];

describe("stop words and start words", () => {
  it("recognises initial words in any case, with punctuation and accents", () => {
    for (const [text, change] of LISTED) {
      assert.equal(INITIAL.recognise(text), change, text);
    }
  });

  it("recognises no word within another message", () => {
    for (const text of OTHER) {
      assert.equal(INITIAL.recognise(text), null, text);
    }
  });

  it("reads entries with commas, semicolons and lines, in any case, with accents and ß", () => {
    const words = wordsOf(OptOutWords.read("Schluß; Kein  Interesse,\r\n¡Ya está!、ＥＮＤＥ\n\n,", "weiter"));
    for (const text of ["schluss", "SCHLUẞ", "schluß.", "kein interesse", "ya esta", "Ende"]) {
      assert.equal(words.recognise(text), "stop", text);
    }
    assert.equal(words.recognise("Weiter!"), "start");
    for (const text of ["stop", "kein", "interesse", "keininteresse", "start"]) {
      assert.equal(words.recognise(text), null, text);
    }
  });

  it("compares messages of up to 1,000 characters", () => {
    assert.equal(INITIAL.recognise(`STOP${"!".repeat(996)}`), "stop");
    assert.equal(INITIAL.recognise(`STOP${"!".repeat(997)}`), null);
  });

  const FAULTS: readonly (readonly [what: string, stop: string, start: string, fault: object])[] = [
    ["no stop word", " , \n", "start", { list: "stopWords", fault: "none" }],
    ["an entry of punctuation", "stop, !!!", "", { list: "stopWords", fault: "empty", entry: "!!!" }],
    ["an entry of emoji", "stop", "▶️", { list: "startWords", fault: "empty", entry: "▶️" }],
    [
      "an entry of 101 characters",
      "stop",
      "x".repeat(101),
      { list: "startWords", fault: "long", entry: `${"x".repeat(40)}…` },
    ],
    [
      "a word in both lists",
      "stop, Arrêt",
      "go; ARRET!",
      { list: "startWords", fault: "both", entry: "ARRET!" },
    ],
  ];
  for (const [what, stop, start, fault] of FAULTS) {
    it(`refuse ${what}`, () => {
      assert.deepEqual(OptOutWords.read(stop, start), { ok: false, ...fault });
    });
  }
});
