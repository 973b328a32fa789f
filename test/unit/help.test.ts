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

const OF_NODE = /data-help-name="([^"]*)"/g;
/** Languages of shared help that a text includes, other than this. */
const strangers = (text: string, own: string): readonly string[] =>
  all(text, /@include lib\/editor\/help\/([^/]*)/g).filter((language) => language !== own);

/** Paragraphs and cells of three words and more. */
const sentences = (text: string): readonly string[] =>
  all(text.replace(/\s+/g, " "), /<(?:p|dd|td)>(.*?)<\/(?:p|dd|td)>/g).filter((found) => / .* /.test(found));

/** The first element that is not closed, or closed where another one is open; null in good HTML. */
function findOpenElement(html: string): string | null {
  const open: string[] = [];
  for (const [, closing, name = ""] of html.matchAll(/<(\/?)(?!br\b)([a-z]\w*)\b[^>]*>/g)) {
    if (closing === "") {
      open.push(name);
    } else if (open.pop() !== name) {
      return name;
    }
  }
  return open.at(-1) ?? null;
}

describe("help", () => {
  it("closes each of its elements, as browsers and docs would not notice", async () => {
    assert.equal(findOpenElement("<p>a<br><b>c</b></p>"), null);
    assert.equal(findOpenElement("<p>a"), "p");
    assert.equal(findOpenElement("<dl><dt>a</dl>"), "dl");
    const paths = [...originals(), ...translations()].map(({ path }) => path);
    const helps = paths.filter((path) => sourceText(`${path}.html`) !== null);
    assert.ok(helps.length >= 14, `only ${helps.length} helps are found`);
    for (const path of helps) {
      assert.equal(findOpenElement(await help(path)), null, path);
    }
  });

  for (const { path, stem } of originals()) {
    const source = sourceText(`${path}.html`);
    if (source !== null) {
      it(`of ${stem} is of its node, and includes no other language`, () => {
        assert.deepEqual(all(source, OF_NODE), [stem]);
        assert.deepEqual(strangers(source, "en-US"), []);
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

      const SAME: readonly (readonly [what: string, of: (text: string) => readonly string[]])[] = [
        ["has the parts of the English help in the same order", (text) => all(text, BLOCKS)],
        ["names the same properties", properties],
        ["names the same types", (text) => all(text, /<span class="property-type">(.*?)<\/span>/g)],
        // A guide that exists in both languages is named in the reader's.
        ["writes the same names and values as code", (text) => names(text.replaceAll("docs/de/", "docs/"))],
        ["links to the same pages", (text) => all(text, /href="([^"]*)"/g)],
      ];
      for (const [what, of] of SAME) {
        it(what, () => assert.deepEqual(of(own), of(base)));
      }

      it("names guides that exist, in its own language where they do", () => {
        for (const guide of names(own).filter((name) => name.startsWith("docs/"))) {
          assert.notEqual(sourceText(guide), null, guide);
          const translated = guide.replace(/^docs\/(?=[^/]+$)/, `docs/${language}/`);
          assert.ok(
            guide === translated || sourceText(translated) === null,
            `${guide} exists in ${language}`,
          );
        }
      });

      it("is of the same node, and includes no other language", () => {
        assert.deepEqual(all(own, OF_NODE), all(base, OF_NODE));
        assert.deepEqual(strangers(sourceText(`${path}.html`) ?? "", language), []);
      });

      it("leaves no heading or sentence in English", () => {
        const english = new Set(sentences(base));
        const left = sentences(own).filter((sentence) => english.has(sentence));
        assert.deepEqual(left, []);
      });
    });
  }
});
