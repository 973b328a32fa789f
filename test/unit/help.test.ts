import assert from "node:assert/strict";
import { expandIncludes } from "../../scripts/build/expand-includes";
import { originals, ROOT, sourceText, translations } from "../support/locales/locale-files";

const BLOCKS = /<(h3|h4|p|dl|dt|dd|ol|ul|li|table|tr|th|td|pre)\b/g;

const all = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

const help = async (path: string): Promise<string> => {
  const source = sourceText(`${path}.html`);
  assert.ok(source !== null, `${path}.html is missing`);
  return expandIncludes(ROOT, source);
};

/** Names of properties, values and paths: what is written as code and is no example in words. */
const names = (text: string): readonly string[] =>
  [...new Set(all(text, /<code>(.*?)<\/code>/g))].filter((code) => !/["\s]/.test(code)).sort();

/** Properties of the message or the result; the others are labels of the dialog, which are translated. */
const properties = (text: string): readonly string[] =>
  all(text, /<dt[^>]*>([a-z][\w.]*(?:, [a-z]\w*)*)(?=\s*<)/g);

describe("help", () => {
  for (const { path, stem } of originals()) {
    const source = sourceText(`${path}.html`);
    if (source !== null) {
      it(`of ${stem} is of its node, and includes no other language`, () => {
        assert.deepEqual(all(source, /data-help-name="([^"]*)"/g), [stem]);
        assert.deepEqual(
          all(source, /@include lib\/editor\/help\/([^/]*)/g).filter((language) => language !== "en-US"),
          [],
        );
      });
    }
  }

  for (const { path, basePath, language } of translations()) {
    if (sourceText(`${basePath}.html`) === null) {
      continue;
    }
    describe(path, () => {
      let own = "";
      let base = "";
      before(async () => {
        [own, base] = await Promise.all([help(path), help(basePath)]);
      });

      it("has the parts of the English help in the same order", () => {
        assert.deepEqual(all(own, BLOCKS), all(base, BLOCKS));
      });

      it("is of the same node, and includes no other language", () => {
        const ofNode = /data-help-name="([^"]*)"/g;
        assert.deepEqual(all(own, ofNode), all(base, ofNode));
        assert.deepEqual(
          all(sourceText(`${path}.html`) ?? "", /@include lib\/editor\/help\/([^/]*)/g).filter(
            (included) => included !== language,
          ),
          [],
        );
      });

      it("names the same properties, with the same types", () => {
        assert.deepEqual(properties(own), properties(base));
        const types = /<span class="property-type">(.*?)<\/span>/g;
        assert.deepEqual(all(own, types), all(base, types));
      });

      it("writes the same names and values as code", () => {
        assert.deepEqual(names(own), names(base));
      });

      it("links to the same pages", () => {
        assert.deepEqual(all(own, /href="([^"]*)"/g), all(base, /href="([^"]*)"/g));
      });

      it("leaves no heading or sentence in English", () => {
        const sentences = (text: string): readonly string[] =>
          all(text.replace(/\s+/g, " "), /<(?:p|dd|td)>(.*?)<\/(?:p|dd|td)>/g).filter((found) =>
            / .* /.test(found),
          );
        const english = new Set(sentences(base));
        assert.deepEqual(
          sentences(own).filter((sentence) => english.has(sentence)),
          [],
        );
      });
    });
  }
});
