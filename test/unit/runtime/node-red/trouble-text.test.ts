import assert from "node:assert/strict";
import { troubleText } from "../../../../lib/runtime/node-red/trouble-text";
import { STORE_FAULTS, StoreError } from "../../../../lib/store/engine/store-error";
import { setLanguage } from "../../../../lib/texts/say";

/** Characters that stand beside a node without reaching the next one. */
const LONGEST = 32;

describe("the words of a badge", () => {
  afterEach(() => setLanguage(() => "en-US"));

  for (const language of ["en-US", "de"]) {
    it(`are few, and others for each fault of a store (${language})`, () => {
      setLanguage(() => language);
      const texts = STORE_FAULTS.map((code) =>
        troubleText(new StoreError(code, "/data/messages.db", "", false)),
      );
      assert.equal(new Set([...texts, troubleText(new Error("another"))]).size, STORE_FAULTS.length + 1);
      for (const text of texts) {
        assert.ok(text.length <= LONGEST && !/[._]/.test(text), text);
      }
    });
  }
});
