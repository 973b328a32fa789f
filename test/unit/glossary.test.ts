import assert from "node:assert/strict";
import { assertAll } from "../support/assert-all";
import { localeFiles, pathsBelow, readTexts, sourceText } from "../support/locales/locale-files";

/** A German word, and what must not be written instead of it. */
interface Entry {
  readonly german: string;
  readonly not: readonly string[];
}

function readGlossary(text: string): readonly Entry[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| English "))
    .map((line) => {
      const [, , german = "", not = ""] = line.split("|").map((cell) => cell.trim());
      // A comma within a phrase is followed by a word that never begins one.
      return { german, not: not === "—" ? [] : not.split(/, (?!ob\b)/) };
    });
}

/** Finds a word or phrase, whatever its case unless it has a capital letter; `*` stands for the end of a word. */
function patternOf(words: string): RegExp {
  const source = words.replace(/[.*+?^${}()|[\]\\]/g, (sign) => (sign === "*" ? "\\p{L}*" : `\\${sign}`));
  return new RegExp(`(?<![\\p{L}-])${source}(?![\\p{L}-])`, /\p{Lu}/u.test(words) ? "u" : "iu");
}

/** What of a text is no German: code, quoted values, and names of other products' settings. */
const withoutCode = (text: string): string =>
  text
    .replace(/<code>[^<]*<\/code>|`[^`]*`|<[^>]+>|https?:\S+|'[^']*'|\{\{[^}]*\}\}/g, " ")
    .replace(/\s+/g, " ");

/** Every German text, by where it stands. */
function germanTexts(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const catalogues = [
    ...localeFiles()
      .filter(({ language }) => language === "de")
      .map(({ path }) => path),
    ...pathsBelow("lib/texts/de").map((path) => path.replace(/\.json$/, "")),
  ];
  for (const path of new Set(catalogues)) {
    for (const [key, text] of readTexts(path)) found.set(`${path}: ${key}`, text);
  }
  const helps = pathsBelow("nodes", "lib/editor/help/de").filter((path) =>
    /\bde[\\/][^\\/]+\.html$/.test(path),
  );
  for (const path of helps) {
    for (const [at, paragraph] of (sourceText(path) ?? "")
      .split(/\n(?=\s*<(?:p|dt|dd|li|tr|h3)\b)/)
      .entries()) {
      found.set(`${path}, part ${at + 1}`, paragraph);
    }
  }
  for (const path of pathsBelow("docs/de")) {
    for (const [at, paragraph] of (sourceText(path) ?? "").split("\n").entries()) {
      found.set(`${path}, line ${at + 1}`, paragraph);
    }
  }
  for (const path of pathsBelow("scripts/examples/de")) {
    const { texts } = JSON.parse(sourceText(path) ?? "{}");
    for (const [english, german] of Object.entries<string>(texts)) found.set(`${path}: ${english}`, german);
  }
  return found;
}

/** The words of texts that the glossary has others for. */
const wrongWords = (glossary: readonly Entry[], texts: ReadonlyMap<string, string>): readonly string[] =>
  glossary.flatMap(({ german, not }) =>
    not.flatMap((words) => {
      const pattern = patternOf(words);
      return [...texts]
        .filter(([, text]) => pattern.test(withoutCode(text)))
        .map(([at]) => `${at} has "${words}" where the glossary has "${german}"`);
    }),
  );

describe("German texts", () => {
  const glossary = readGlossary(sourceText("docs/glossary.md") ?? "");
  const texts = germanTexts();

  it("of all catalogues, of help and of examples are read", () => {
    for (const part of ["lib/texts/de", "nodes/", "plugins/", "lib/editor/help/de", "scripts/examples/de"]) {
      assert.ok(
        [...texts.keys()].some((at) => at.startsWith(part)),
        part,
      );
    }
    assert.ok(texts.size > 1500, `only ${texts.size}`);
    assert.ok(glossary.length > 40, `only ${glossary.length} terms`);
  });

  it("have the words of the glossary", () => {
    assert.deepEqual(wrongWords(glossary, texts), [], "mend the texts, or docs/glossary.md");
  });

  it("address the reader with Sie", () => {
    const familiar = /(?<!\p{L})(?:du|dich|dir|dein\p{L}*|euch|euer\p{L}*)(?!\p{L})/iu;
    assertAll(texts, ([, text]) => !familiar.test(withoutCode(text)));
  });

  it("have German quotation marks", () => {
    const others = /[“][^„”]*[”]|(?<![=\w(,[{:\\])"[\p{L} ]+"(?![\]}:,])/u;
    assertAll(
      texts,
      ([at, text]) => at.endsWith(".html") || /[{<]/.test(text) || !others.test(withoutCode(text)),
    );
  });

  it("name each outcome by the same words wherever it is named", () => {
    const at = (path: string, key: string): string => texts.get(`${path}: ${key}`) ?? `${path}: ${key}`;
    const fileOf = (key: string): string =>
      [...texts.keys()].find((at) => at.endsWith(`: ${key}`))?.split(": ")[0] ?? "";
    const editor = fileOf("editor.port.rejected");
    const sidebar = fileOf("messaging-activity.result.rejected");
    const log = fileOf("message-log.choice.outcome.rejected");
    for (const outcome of ["sent", "queued", "rejected", "denied", "retry-later", "unknown"]) {
      const word = at(editor, `editor.port.${outcome}`);
      assert.equal(at(sidebar, `messaging-activity.result.${outcome}`), word);
      assert.equal(at(log, `message-log.choice.outcome.${outcome}`), word);
      assert.ok(
        [...texts].some(([key, text]) => key.startsWith("lib/editor/help/de/outputs") && text.includes(word)),
        word,
      );
    }
  });
});

describe("the glossary", () => {
  const glossary = [
    { german: "abgelehnt", not: ["zurückgewiesen*"] },
    { german: "Protokoll", not: ["Log"] },
    { german: "ungewiss", not: ["unbekannt, ob"] },
  ];
  const wrong = (text: string): readonly string[] => wrongWords(glossary, new Map([["x", text]]));

  it("finds a word that must not be used, at the begin of a sentence and with another end", () => {
    assert.deepEqual(wrong("Zurückgewiesene Nachrichten"), [
      'x has "zurückgewiesen*" where the glossary has "abgelehnt"',
    ]);
    assert.equal(wrong("Es ist unbekannt, ob sie ankam; siehe das Log.").length, 2);
  });

  it("leaves code, parts of words, and other cases of a name alone", () => {
    assert.deepEqual(wrong("Der Node catalog, <code>Log</code>, logisch, Dialog, Log-in"), []);
  });

  it("is read from its table", () => {
    assert.deepEqual(
      readGlossary("| English | German | Not |\n|---|---|---|\n| a | b | c, d, ob e |\n| f | g | — |"),
      [
        { german: "b", not: ["c", "d, ob e"] },
        { german: "g", not: [] },
      ],
    );
  });
});
