import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  BARE_STATUSES,
  findBareStatus,
  LOCAL_FAULTS,
  MOVED_FILE,
  PROVEN,
  unlistedCode,
} from "../../../lib/gateway/contract/local-outcomes";
import type { OutcomeRow } from "../../../lib/gateway/contract/outcome-texts";
import { type Outcome, OUTCOMES, STATUS_CODES } from "../../../lib/shared/outcomes";
import type { SetupFault } from "../../../lib/shared/messaging-error";
import type { RecipientTextKey } from "../../../lib/shared/recipients/recipient-text";
import type { WhereToReason } from "../../../lib/runtime/guards/block-verdict";
import type { BlockReason } from "../../../lib/runtime/guards/block-verdict-of";
import type { NumberType } from "../../../lib/shared/recipients/numbering-plan";
import type { StoreFault } from "../../../lib/store/engine/store-error";
import { CATALOGUES, type Language, type TextKey } from "../../../lib/texts/catalogues";
import type { REFUSALS } from "../../../lib/webhook/gates/refusals";
import { findEnglish } from "../../support/locales/english-words";
import { flatten, placeholdersOf, ROOT } from "../../support/locales/locale-files";
import { keysNamed, runtimeFiles, sayCalls, sentencesIn } from "../../support/locales/say-calls";
import { fits } from "../../support/locales/used-texts";

const textsOf = (language: Language): ReadonlyMap<string, string> =>
  flatten(CATALOGUES[language], "", new Map());
const english = textsOf("en-US");
const others = (Object.keys(CATALOGUES) as Language[]).filter((language) => language !== "en-US");

/** Texts that are the same in both languages. */
const SAME = new Set<string>([]);

/** Names that texts of the runtime used for things which the dialogs call something else. */
const OTHER_NAMES: Readonly<Record<Language, RegExp>> = {
  "en-US":
    /\b(?:holds?(?! no value)|held|(?:connect|answer) timeout|token service address|status event|deployed anew|bare \d+)\b/i,
  de: /Status-Ereignis|Customer-Care|\bGrenze\b|\bByte\b|\b(?:Der|Den|Dem|Des) (?:RCS-)?Payload/,
};

/** Statements of the store, and its type of a counted key. */
const SQL =
  /^\s*(?:CREATE|DELETE|INSERT|NOT EXISTS|SELECT|UPDATE)\s|^bigint GENERATED |^[a-z_]+(?:, [a-z_]+)+$/;

/** Texts of the code that look like words and are for programs or programmers. */
const NOT_FOR_PEOPLE: Readonly<Record<string, readonly RegExp[]>> = {
  // Errors that undici gets and nobody shows.
  "lib/gateway/http/exchange.ts": [/^given up before/],
  // An error of a programmer: every caller looks for such a character first.
  "lib/shared/latin1.ts": [/is not in ISO-8859-1/],
  // An error of a programmer, who wrote two statements of one name.
  "lib/store/schema/statement.ts": [/name in use$/],
  // Bodies of HTTP answers, which programs read.
  "lib/webhook/answers.ts": [/^The event was not taken;/, /^The webhook cannot be reached now;/],
  "lib/webhook/gates/refusals.ts": [/^(?:The|This|Compressed|Requests|Something)\b.*\.$/],
  // A setting of Express.
  "lib/runtime/admin/refuse-foreign-page.ts": [/^trust proxy fn$/],
  // Names between spaces.
  "lib/runtime/activity/node-activity.ts": [/^(?:[a-z_]+ ?)+$/],
  "lib/runtime/webhook/route-conflict.ts": [/^(?:[a-z-]+ ?)+$/],
  // Faults in what the sidebar sends; the sidebar shows a text of its own.
  "lib/runtime/simulator/simulator-actions.ts": [
    /^sender: must be a phone number$/,
    /^picture: an SMS cannot carry one$/,
  ],
};

type KeysOf<File extends string> = TextKey extends infer Key
  ? Key extends `${File}.${infer Rest}`
    ? Rest
    : never
  : never;
type LimitReached = Extract<BlockReason, { readonly fault: "LIMIT_REACHED" }>;
type Empty<T> = [T] extends [never] ? true : never;

/** Does not compile while a text of a family belongs to no value that the code can put into the key. */
const FAMILIES_ARE_USED: Readonly<Record<string, true>> = {
  recipients: true satisfies Empty<
    Exclude<
      KeysOf<"recipients">,
      | RecipientTextKey
      | "entry"
      | "row"
      | "named"
      | "alone"
      | `more.${string}`
      | `held.${WhereToReason | "unknown-country" | "hours" | "too-late" | "once-full"}`
      | `held.window.${"never" | "wrote"}`
      | `held.use.${Outcome | "open"}`
      | `held.limit.${LimitReached["per"]}-${LimitReached["period"]}`
      | `type.${NumberType}`
    >
  >,
  trouble: true satisfies Empty<
    Exclude<KeysOf<"badges.trouble">, SetupFault | StoreFault | "FIELD_INVALID" | "OTHER">
  >,
  store: true satisfies Empty<Exclude<KeysOf<"store">, StoreFault | "place-hidden">>,
  reasons: true satisfies Empty<Exclude<KeysOf<"badges.webhook.reason">, keyof typeof REFUSALS>>,
};

/** Keys that the outcome tables stand for: the meanings they must have, and the other texts they may have. */
function outcomeKeys(): { readonly needed: ReadonlySet<string>; readonly possible: ReadonlySet<string> } {
  const rows: readonly (OutcomeRow & { readonly narrower?: readonly string[] })[] = [
    ...STATUS_CODES,
    ...Object.values(LOCAL_FAULTS),
    MOVED_FILE,
    PROVEN,
    ...BARE_STATUSES.map(([, status]) => findBareStatus(status)),
    findBareStatus(503, true),
    unlistedCode(4999),
    unlistedCode(9999),
  ];
  const needed = rows.flatMap(({ text, narrower = [] }) => [
    `outcomes.${text}.meaning`,
    ...narrower.map((kind) => `outcomes.${text}.narrower.${kind}`),
  ]);
  const advices = rows.map(({ text, adviceText = text }) => `outcomes.${adviceText}.advice`);
  const again = Object.values(OUTCOMES).map(({ resend }) => `outcomes.send.${resend}`);
  return {
    needed: new Set(needed),
    possible: new Set([...needed, ...advices, ...again, "outcomes.read.yes", "outcomes.upload.check-first"]),
  };
}

describe("texts of the runtime", () => {
  it("have a file for each subject in each language, and every file is used", () => {
    for (const language of Object.keys(CATALOGUES) as Language[]) {
      const files = readdirSync(join(ROOT, "lib/texts", language)).sort();
      const listed = Object.keys(CATALOGUES[language]).map(
        (name) => `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`,
      );
      assert.deepEqual(files, listed.sort(), language);
    }
  });

  for (const language of others) {
    const own = textsOf(language);

    it(`have the same keys in ${language} as in English`, () => {
      assert.deepEqual([...own.keys()].sort(), [...english.keys()].sort());
    });

    it(`are filled with the same values in ${language}`, () => {
      for (const [key, text] of own) {
        assert.deepEqual(placeholdersOf(text), placeholdersOf(english.get(key) ?? ""), key);
      }
    });

    it(`are all translated in ${language}`, () => {
      const left = [...own].filter(([key, text]) => text === english.get(key) && !SAME.has(key));
      assert.deepEqual(left, []);
    });
  }

  it("begin with an article where they are the subject of a sentence", () => {
    for (const language of Object.keys(CATALOGUES) as Language[]) {
      const labels = [...textsOf(language)].filter(([key]) =>
        /^(?:account\.label|webhook\.setting)\./.test(key),
      );
      assert.ok(labels.length > 20, "the labels were not read");
      assert.deepEqual(
        labels.filter(([, text]) => !/^(?:The|Der|Die|Das) /.test(text)),
        [],
      );
    }
  });

  it("have one name for each thing, the one of the dialogs", () => {
    for (const [language, pattern] of Object.entries(OTHER_NAMES)) {
      const texts = [...textsOf(language as Language)];
      assert.deepEqual(
        texts.filter(([, text]) => pattern.test(text)),
        [],
      );
    }
  });

  it("name the reasons of refused calls as the sidebar does", () => {
    for (const language of Object.keys(CATALOGUES) as Language[]) {
      const file = join(ROOT, "plugins/messaging-activity/locales", language, "messaging-activity.json");
      const sidebar = JSON.parse(readFileSync(file, "utf8")) as {
        "messaging-activity": { reason: Record<string, string> };
      };
      assert.deepEqual(CATALOGUES[language].badges.webhook.reason, sidebar["messaging-activity"].reason);
    }
  });

  it("hold no English word in German", () => {
    const mixed = [...textsOf("de")].filter(([, text]) => findEnglish(text) !== null);
    assert.deepEqual(mixed, []);
  });

  it("are written like sentences: no doubled spaces, no blank ends, none empty", () => {
    const joining = new Set(["values.or", "values.and"]);
    for (const language of Object.keys(CATALOGUES) as Language[]) {
      const odd = [...textsOf(language)].filter(
        ([key, text]) => text === "" || / {2}/.test(text) || (text.trim() !== text && !joining.has(key)),
      );
      assert.deepEqual(odd, [], language);
    }
  });
});

describe("keys of the runtime's texts", () => {
  const files = runtimeFiles();
  const calls = files.flatMap((file) => sayCalls(file));
  const { needed, possible } = outcomeKeys();

  it("are there for every outcome, status code, HTTP status and local fault", () => {
    assert.ok(needed.size > 80, "the tables were not read");
    assert.deepEqual(
      [...needed].filter((key) => !english.has(key)),
      [],
    );
  });

  it("are all used", () => {
    const named = files.flatMap((file) => keysNamed(file)).filter((key) => !key.startsWith("outcomes."));
    const patterns = [...new Set(named)];
    const unused = [...english.keys()].filter((key) =>
      key.startsWith("outcomes.")
        ? !possible.has(key)
        : !patterns.some((pattern) => (pattern.includes("*") ? fits(key, pattern) : key === pattern)),
    );
    assert.deepEqual(unused, []);
  });

  it("of families have nothing but what the code can ask for", () => {
    assert.equal(Object.values(FAMILIES_ARE_USED).length, 4);
  });

  it("that the code names have a text", () => {
    assert.ok(calls.length > 50, "the code was not read");
    const lost = calls.filter(({ pattern }) => ![...english.keys()].some((key) => fits(key, pattern)));
    assert.deepEqual(lost, []);
  });

  it("get the values that their texts have places for, no fewer and no more", () => {
    const wrong = calls.filter(({ pattern, values }) => {
      const own = [...(values ?? [])].sort().join();
      const texts = [...english].filter(([key]) => fits(key, pattern)).map(([, text]) => text);
      // Of several texts that a call may stand for, some have fewer places.
      return values !== null && !texts.some((text) => [...new Set(placeholdersOf(text))].join() === own);
    });
    assert.deepEqual(wrong, []);
  });

  it("are looked up when they are needed, not while a module is loaded", () => {
    assert.deepEqual(
      calls.filter(({ atLoad }) => atLoad),
      [],
    );
  });

  it("stand for every sentence: the code itself has none for people", () => {
    const sentences = files
      .flatMap((file) => sentencesIn(file))
      .filter(({ file, text }) => !(file.startsWith("lib/store/") && SQL.test(text)))
      .filter(({ file, text }) => !NOT_FOR_PEOPLE[file]?.some((pattern) => pattern.test(text)));
    assert.deepEqual(sentences, []);
  });
});

describe("the checks of texts in code", () => {
  const SOURCE = `
    const early = say("a.early");
    const late = () => say("a.late", { n: 1, name });
    class A { text = say("a.field"); say() { return say(now ? "a.one" : \`a.\${two}.three\`, values); } }
    throw new Error("this sentence is for people.");
  `;

  it("find calls, keys, values and when they run", () => {
    assert.deepEqual(
      sayCalls("x.ts", SOURCE).map(({ pattern, values, atLoad }) => [pattern, values, atLoad]),
      [
        ["a.early", [], true],
        ["a.late", ["n", "name"], false],
        ["a.field", [], false],
        ["a.one", null, false],
        ["a.*.three", null, false],
      ],
    );
    assert.deepEqual(keysNamed("x.ts", SOURCE), ["a.early", "a.late", "a.field", "a.one", "a.*.three"]);
  });

  it("find sentences", () => {
    assert.deepEqual(sentencesIn("x.ts", SOURCE), [{ file: "x.ts", text: "this sentence is for people." }]);
  });

  it("find English words in a text, but not in quoted values", () => {
    assert.equal(findEnglish("Das Konto is falsch."), "is");
    assert.equal(findEnglish("muss 'the', 'of' oder „not“ sein"), null);
  });
});
