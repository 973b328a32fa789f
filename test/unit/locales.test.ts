import assert from "node:assert/strict";
import { basename, dirname } from "node:path";
import { OUTCOMES } from "../../lib/shared/outcomes";
import { REFUSALS } from "../../lib/webhook/gates/refusals";
import { expandFields } from "../../scripts/build/expand-fields";
import { expandIncludes } from "../../scripts/build/expand-includes";
import { FIELD_TABLES } from "../../scripts/build/field-tables";
import { findEnglish } from "../support/locales/english-words";
import { SAME_IN } from "../support/locales/same-words";
import {
  type FlatTexts,
  localeFiles,
  originals,
  placeholdersOf,
  readTexts,
  ROOT,
  sourceText,
  translations,
} from "../support/locales/locale-files";
import { fits, keysInCode, keysInHtml } from "../support/locales/used-texts";

const MODULE = "@messaging-service/node-red-messaging/";
const ACCOUNT = "messaging-account";

const english = new Map(originals().map(({ stem, path }) => [stem, readTexts(path)]));
const textsOf = (stem: string): FlatTexts => english.get(stem) ?? new Map();

const missing = (stem: string, keys: readonly string[]): readonly string[] =>
  keys.filter((key) => !textsOf(stem).has(key)).map((key) => `${stem}: ${key}`);

describe("texts", () => {
  it("exist in English and German for each node", () => {
    const found = new Map<string, string[]>();
    for (const { stem, language } of localeFiles()) {
      found.set(stem, [...(found.get(stem) ?? []), language].sort());
    }
    assert.ok(found.size >= 7, "not all nodes were found");
    for (const [stem, languages] of found) {
      assert.deepEqual(languages, ["de", "en-US"], `languages of ${stem}`);
    }
  });

  for (const { path, basePath, language } of translations()) {
    describe(path, () => {
      const own = readTexts(path);
      const base = readTexts(basePath);

      it("has the keys of the English ones, no fewer and no more", () => {
        assert.deepEqual([...own.keys()].sort(), [...base.keys()].sort());
      });

      it("fills the same values in", () => {
        for (const [key, text] of own) {
          assert.deepEqual(placeholdersOf(text), placeholdersOf(base.get(key) ?? ""), key);
        }
      });

      it("keeps the tags of texts with HTML", () => {
        const tags = (text: string): readonly string[] =>
          [...text.matchAll(/<[^>]+>/g)].map(([tag]) => tag).sort();
        for (const [key, text] of own) {
          assert.deepEqual(tags(text), tags(base.get(key) ?? ""), key);
        }
      });

      if (language === "de") {
        it("holds no English word", () => {
          assert.deepEqual(
            [...own].filter(([, text]) => findEnglish(text) !== null),
            [],
          );
        });
      }

      it("leaves nothing in English but words that are the same", () => {
        const same = [...own].filter(
          ([key, text]) => text === base.get(key) && !SAME_IN[language]?.has(text),
        );
        assert.deepEqual(same, [], "translate them, or list them in test/support/locales/same-words.ts");
      });
    });
  }
});

describe("keys of texts", () => {
  it("in each form stand in its catalogue, Node-RED's own included", async () => {
    const core: unknown = JSON.parse(
      sourceText("node_modules/@node-red/nodes/locales/en-US/messages.json") ?? "",
    );
    const inCore = (key: string): boolean =>
      typeof key.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], core) ===
      "string";
    for (const { path, stem } of originals()) {
      const form = sourceText(`${dirname(dirname(dirname(path)))}/${stem}.html`);
      const keys =
        form === null ? [] : keysInHtml(await expandFields(ROOT, await expandIncludes(ROOT, form)));
      const lost = keys.filter((key) => {
        if (key.startsWith("node-red:")) {
          return !inCore(key.slice("node-red:".length));
        }
        const [catalogue = "", name = ""] = key.includes(":")
          ? key.replace(MODULE, "").split(":")
          : [stem, key];
        return !textsOf(catalogue).has(name);
      });
      assert.deepEqual(lost, [], `${path}: no text for these`);
    }
  });

  it("in the code of dialogs have a text", () => {
    const keys = keysInCode();
    assert.ok(keys.length > 100, "the code was not read");
    const lost = keys.filter(({ file, pattern }) => {
      const inShared = [...textsOf(ACCOUNT).keys()].some((key) => fits(key, pattern));
      const stem = basename(file, ".editor.ts");
      const candidates = textsOf(stem).size > 0 ? [stem] : [...english.keys()];
      const inOwn = candidates.some((name) =>
        [...textsOf(name).keys()].some((key) => fits(key, `${name}.${pattern}`)),
      );
      return !inShared && !inOwn;
    });
    assert.deepEqual(lost, []);
  });

  for (const [stem, specs] of Object.entries(FIELD_TABLES)) {
    it(`exist for every field of ${stem} and each of its choices`, () => {
      const keys = specs.flatMap(({ name, choices = [] }) => [
        `${stem}.field.${name}`,
        ...choices.map((choice) => `${stem}.choice.${name}.${choice}`),
      ]);
      assert.deepEqual(missing(stem, keys), []);
    });
  }

  it("exist for every outcome and refusal", () => {
    const outcomes = Object.keys(OUTCOMES);
    const reasons = Object.keys(REFUSALS);
    assert.deepEqual(
      [
        ...missing(ACCOUNT, [
          ...outcomes.map((outcome) => `editor.port.${outcome}`),
          ...outcomes.map((outcome) => `editor.sendTest.outcome.${outcome}`),
        ]),
        ...missing(
          "messaging-activity",
          reasons.map((reason) => `messaging-activity.reason.${reason}`),
        ),
        ...missing(
          "webhook-in",
          reasons.map((reason) => `webhook-in.selfTest.reason.${reason}`),
        ),
      ],
      [],
    );
  });
});
