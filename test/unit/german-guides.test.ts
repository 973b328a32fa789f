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

/** Guides for users that are in English alone. A new guide is translated, or stands here. */
const ENGLISH_ONLY = [
  "assumptions",
  "going-live",
  "history",
  "outcomes",
  "security",
  "service",
  "several-node-reds",
  "simulator",
  "storage",
  "webhooks-behind-a-proxy",
  "without-a-public-address",
];

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
  it("are there for each guide of the users, but for those that are named here", () => {
    const english = linksOf(page("docs/README.md")).flatMap((link) => /^([\w-]+)\.md$/.exec(link)?.[1] ?? []);
    assert.ok(english.length > 12, `only ${english.length} guides`);
    const translated = german.map((path) => basename(path, ".md")).filter((name) => name !== "README");
    assert.deepEqual([...ENGLISH_ONLY, ...translated].sort(), [...new Set(english)].sort());
    assert.ok(german.includes(README));
  });

  it("have the sections, steps, rows and pictures of the English ones", () => {
    for (const path of german) {
      assert.deepEqual(skeletonOf(page(path)), skeletonOf(page(originalOf(path))), path);
      for (const language of ["sh", "json"]) {
        assert.deepEqual(codeOf(page(path), language), codeOf(page(originalOf(path)), language), path);
      }
    }
  });

  it("lead to the German page where there is one, and say of others that they are English", () => {
    for (const path of german) {
      const text = page(path).replace(/\s+/g, " ");
      for (const [, target = "", after = ""] of text.matchAll(/\]\((\.\.\/[\w./-]+\.md)[^)]*\)(.{0,12})/g)) {
        const name = basename(target);
        const isTop = /^(?:\.\.\/\.\.\/)/.test(target);
        assert.ok(
          isTop || !german.includes(`${GERMAN}/${name}`) || name === "README.md",
          `${path}: ${target}`,
        );
        assert.ok(
          isTop || after.startsWith(" (englisch)"),
          `${path}: ${target} is English, and does not say so`,
        );
      }
    }
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
      "Menü → Palette verwalten → Installieren",
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
