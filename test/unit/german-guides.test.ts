import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { assertAll } from "../support/assert-all";
import {
  boldOf,
  codeOf,
  docsPages,
  isLabelInText,
  italicsOf,
  labelFinder,
  linksOf,
  page,
} from "../support/locales/guides";
import { ROOT } from "../support/locales/locale-files";

const GERMAN = "docs/de";
const README = `${GERMAN}/README.md`;

/** The part of the English index that is in German. */
const INDEX = "../README.md#auf-deutsch";

const german = docsPages().filter((path) => path.startsWith(`${GERMAN}/`));

const originalOf = (path: string): string =>
  path === README ? "README.md" : path.replace(`${GERMAN}/`, "docs/");

/** What both languages of a page have the same: headings by level, items, rows and blocks of code, in their order. */
const skeletonOf = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => {
    const [, mark] = /^(#+ |\d+\. |- |\||!\[|<img|\s*```\w*)/.exec(line) ?? [];
    return mark === undefined ? [] : [mark.trim()];
  });

const examples = new Set(
  readdirSync(join(ROOT, "examples/de")).map((file) => basename(file, ".json").normalize()),
);

describe("German guides", () => {
  it("are there for each guide of the users", () => {
    const english = linksOf(page("docs/README.md")).filter((link) => /^[\w-]+\.md$/.test(link));
    assert.ok(english.length > 12, `only ${english.length} guides`);
    const translated = german.map((path) => basename(path));
    assert.deepEqual(translated.sort(), [...new Set(["README.md", ...english])].sort());
  });

  it("have the sections, steps, rows and pictures of the English ones", () => {
    for (const path of german) {
      assert.deepEqual(skeletonOf(page(path)), skeletonOf(page(originalOf(path))), path);
      for (const language of ["sh", "json"]) {
        assert.deepEqual(codeOf(page(path), language), codeOf(page(originalOf(path)), language), path);
      }
    }
  });

  it("lead to German guides, and say of all other pages that they are English", () => {
    let others = 0;
    for (const path of german) {
      const text = page(path).replace(/\s+/g, " ");
      for (const [, target = "", after = ""] of text.matchAll(/\]\((\.\.\/[^)]+\.md[^)]*)\)(.{0,12})/g)) {
        // The README says of itself what it is a version of.
        if (target !== INDEX && target !== "../../README.md") {
          assert.ok(target.startsWith("../../"), `${path}: ${target} is there in German`);
          assert.ok(after.startsWith(" (englisch)"), `${path}: ${target} is English, and does not say so`);
          others++;
        }
      }
    }
    assert.ok(others > 5, `only ${others} links to other pages`);
  });

  it("call labels of the dialogs as the German editor does", () => {
    const isLabel = labelFinder("de");
    for (const path of german.filter((each) => each !== README)) {
      assertAll(boldOf(page(path)), isLabel, `${path} has in bold what is no label`);
    }
    assert.ok(boldOf(page(`${GERMAN}/first-message.md`)).length > 30);
  });

  it("call labels, in the README, as the German editor does, and examples by their German names", () => {
    const isLabel = labelFinder("de");
    const others = new Set([
      "Menü → Palette verwalten → Installation",
      "Upload Modul tgz-Datei",
      "Menü → Import → Beispiele",
      "Menü → Einstellungen",
      "Import",
      "Info",
      "de",
      "Gruß senden",
      "SMS senden",
      "delay",
      "catch",
    ]);
    const labels = italicsOf(page(README)).filter((words) => !others.has(words) && !/^\d\d - /.test(words));
    assert.ok(labels.length > 15, `only ${labels.length} labels are found`);
    assertAll(labels, (label) => isLabelInText(label, (words) => isLabel(words) || isLabel(`${words} …`)));
    for (const path of german) {
      const named = italicsOf(page(path)).filter((words) => /^\d\d - /.test(words));
      assertAll(named, (name) => examples.has(name.normalize()), path);
    }
  });
});
