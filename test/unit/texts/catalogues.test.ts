import assert from "node:assert/strict";
import { CATALOGUES } from "../../../lib/texts/catalogues";

/** The places of each text of a catalogue that are filled in, by its key. */
function placesOf(texts: object, prefix = ""): [string, string[]][] {
  return Object.entries(texts).flatMap(([name, inner]: [string, string | object]) =>
    typeof inner === "string"
      ? [[`${prefix}${name}`, [...new Set(inner.match(/__\w+?__/g))].sort()] as [string, string[]]]
      : placesOf(inner, `${prefix}${name}.`),
  );
}

describe("the catalogues of the runtime", () => {
  const { "en-US": english, ...others } = CATALOGUES;

  for (const [language, texts] of Object.entries(others)) {
    it(`have the same keys and the same places in ${language} as in English`, () => {
      assert.deepEqual(Object.fromEntries(placesOf(texts)), Object.fromEntries(placesOf(english)));
    });
  }
});
