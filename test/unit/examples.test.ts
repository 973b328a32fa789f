import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WhereToGuard } from "../../lib/runtime/guards/where-to-guard";
import {
  readWhereToSettings,
  type WhereToConfig,
  type WhereToSettings,
} from "../../lib/runtime/guards/where-to-settings";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import { translateNode } from "../../scripts/examples/example-texts";
import { type GermanExample, germanExamples } from "../../scripts/examples/german-examples";
import { assertAll } from "../support/assert-all";
import { findEnglish } from "../support/locales/english-words";
import { boldOf, exampleNames, isLabelInText, italicsOf, labelFinder } from "../support/locales/guides";
import { ROOT } from "../support/locales/locale-files";

interface Node {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly info?: string;
  readonly url?: string;
  readonly path?: string;
}

const load = async (path: string): Promise<readonly Node[]> =>
  JSON.parse(await readFile(join(ROOT, path), "utf8"));

/** A flow without its texts and ids: ids by the order in which they first occur, texts as a word. */
function shapeOf(nodes: readonly Node[]): unknown {
  const places = new Map(nodes.map(({ id }, place) => [id, `node ${place}`]));
  const shape = (value: unknown): unknown => {
    if (typeof value === "string") return places.get(value) ?? (/\p{L}/u.test(value) ? "text" : value);
    if (Array.isArray(value)) return value.map(shape);
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each)]))
      : value;
  };
  return nodes.map((node) => ({ ...(shape(node) as object), type: node.type }));
}

/** Every text of a flow that people read. */
function wordsOf(nodes: readonly Node[]): readonly string[] {
  const found: string[] = [];
  const collect = (text: string): string => {
    found.push(text);
    return text;
  };
  for (const node of nodes) {
    translateNode({ ...node }, { words: collect, value: (text) => text });
  }
  return found;
}

let examples: readonly GermanExample[];
let problems: readonly string[];
before(async () => {
  ({ examples, problems } = await germanExamples(ROOT));
});

describe("German examples", () => {
  it("have a German text for every text of the English ones, and none too much", async () => {
    assert.equal(examples.length, exampleNames().size);
    assert.deepEqual(problems, [], "mend these, then run npm run docs");
  });

  it("are the same flows", async () => {
    for (const { path, from } of examples) {
      assert.deepEqual(shapeOf(await load(path)), shapeOf(await load(from)), path);
    }
  });

  it("hold no English", async () => {
    for (const { path } of examples) {
      const words = wordsOf(await load(path)).filter((text) => !/^\s*(?:<!doctype|\[|")/.test(text));
      const plain = words.map((text) => text.replace(/`[^`]*`|\$?\{[^}]*\}|\*\*?[^*]*\*\*?/g, ""));
      assertAll(plain, (text) => findEnglish(text) === null, path);
    }
  });

  it("can stand beside the English ones in one Node-RED: no id and no address is the same", async () => {
    const seen = new Map<string, string>();
    for (const { path, from } of examples) {
      for (const file of [from, path]) {
        for (const { id, type, url, path: webhook } of await load(file)) {
          const route = type === "http in" ? url : type === "webhook-in" && webhook !== "" ? webhook : null;
          const own = route ? [id, route] : [id];
          for (const key of own) {
            assert.ok(!seen.has(key), `${key} is in ${seen.get(key)} and in ${file}`);
            seen.set(key, file);
          }
        }
      }
    }
    assert.ok(seen.size > 500);
  });

  it("call labels and nodes in their comments as the German editor does", async () => {
    const isLabel = labelFinder("de");
    const others = new Set(["read file", "http request", "write file", "order_ready", "Simulator"]);
    let labels = 0;
    for (const { path } of examples) {
      const nodes = await load(path);
      const names = new Set(nodes.map(({ name }) => name));
      for (const note of nodes.filter(({ type }) => type === "comment").map(({ info }) => info ?? "")) {
        assertAll(boldOf(note), (name) => names.has(name), `${path} has in bold what is no node of it`);
        const said = italicsOf(note).filter((words) => !others.has(words));
        labels += said.length;
        const isKnown = (words: string): boolean => isLabelInText(words, isLabel);
        assertAll(said, isKnown, `${path} has in italics what is no label`);
      }
    }
    assert.ok(labels > 20, `only ${labels} labels are found`);
  });
});

describe("examples", () => {
  it("have accounts that are guarded as new ones are, in English and in German, and so have those of the docs", async () => {
    const { allowedCountries, mobileOnly, noPremiumNumbers } = ACCOUNT_DEFAULTS;
    const files = examples.flatMap(({ path, from }) => [from, path]);
    for (const file of [...files, "docs/several-node-reds/flows.json"]) {
      const accounts = (await load(file)).filter(({ type }) => type === "messaging-account");
      assert.notEqual(accounts.length, 0, file);
      for (const account of accounts as unknown as readonly WhereToConfig[]) {
        const isPublic = /\/21 - /.test(file);
        assert.equal(isPublic ? allowedCountries : account.allowedCountries, allowedCountries, file);
        assert.deepEqual(
          [account.mobileOnly, account.noPremiumNumbers],
          [mobileOnly, noPremiumNumbers],
          file,
        );
      }
    }
  });

  it("with a public form send no code to premium numbers, fixed lines and numbers of no country, but to those of the simulator", async () => {
    const [example] = examples.filter(({ from }) => /\/21 - /.test(from));
    for (const file of [example?.from, example?.path] as string[]) {
      const account = (await load(file)).find(({ type }) => type === "messaging-account");
      const guard = new WhereToGuard(
        readWhereToSettings(account as unknown as WhereToConfig) as WhereToSettings,
      );
      const reasons = ["41900123456", "41445550100", "8821234567890", "12015550123", "41790000001"];
      assert.deepEqual(
        [...reasons, "999555000001"].map((number) => guard.reasonOf(number, { sms: true })),
        ["premium", "not-mobile", "country", "country", null, null],
        file,
      );
    }
  });

  it("have no function node, in English and in German", async () => {
    for (const { path, from } of examples) {
      for (const file of [from, path]) {
        assertAll(await load(file), ({ type }) => type !== "function", file);
      }
    }
  });
});

describe("a text of an example without a German one", () => {
  let copy = "";
  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), "examples-"));
    await cp(join(ROOT, "examples"), join(copy, "examples"), { recursive: true });
    await cp(join(ROOT, "scripts/examples/de"), join(copy, "scripts/examples/de"), { recursive: true });
  });
  afterEach(() => rm(copy, { recursive: true }));

  it("is named with the table it belongs into, and so is the one that it replaced", async () => {
    const path = join(copy, "examples/01 - Send one SMS.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll("Send a greeting", "Send best wishes"));
    const { problems } = await germanExamples(copy);
    assert.deepEqual(
      problems.filter((problem) => /"(?:Send best wishes|Send a greeting)"$/.test(problem)),
      [
        'examples/01 - Send one SMS.json has a text without a German one: add it to "texts" in scripts/examples/de/01.json, then run npm run docs: "Send best wishes"',
        'examples/01 - Send one SMS.json has no such text: delete or mend it in scripts/examples/de/01.json: "Send a greeting"',
      ],
    );
  });

  it("is named for an example that is new, and a table without an example is named", async () => {
    await cp(join(copy, "examples/01 - Send one SMS.json"), join(copy, "examples/98 - New.json"));
    await cp(join(copy, "scripts/examples/de/01.json"), join(copy, "scripts/examples/de/97.json"));
    const { problems } = await germanExamples(copy);
    assert.ok(
      problems.includes(
        "examples/98 - New.json has no German texts: write them into scripts/examples/de/98.json, as beside it",
      ),
    );
    assert.ok(
      problems.includes(
        "scripts/examples/de/97.json belongs to no example: rename it like its example, or delete it",
      ),
    );
  });
});

describe("texts of a node of an example", () => {
  const translated = (node: Record<string, unknown>): unknown =>
    translateNode(
      { id: "1", type: "x", ...node },
      {
        words: (text) => `<${text}>`,
        value: (text) => (text === "done" ? "fertig" : text),
      },
    );

  it("are its names, what is typed in, and what stands in quotes in code", () => {
    assert.deepEqual(
      translated({
        name: "answer",
        info: "One.\n\nTwo.",
        messageContent: 'payload.name & ", come at " & time & "! " & "done" /* why */',
        messageContentSource: "jsonata",
        text: "payload now",
        textSource: "msg",
        title: "See you",
        titleSource: "str",
        rules: [
          { to: "no answer", tot: "str" },
          { v: "done", vt: "str" },
        ],
        list: [{ value: "Yes, please", source: "str" }],
      }),
      {
        id: "1",
        type: "x",
        name: "<answer>",
        info: "<One.>\n\n<Two.>",
        messageContent: 'payload.name & "<, come at >" & time & "! " & "fertig" /* <why> */',
        messageContentSource: "jsonata",
        text: "payload now",
        textSource: "msg",
        title: "<See you>",
        titleSource: "str",
        rules: [
          { to: "<no answer>", tot: "str" },
          { v: "fertig", vt: "str" },
        ],
        list: [{ value: "<Yes, please>", source: "str" }],
      },
    );
  });

  it("are not settings, durations, numbers, nor how nodes hang together", () => {
    const node = {
      wires: [["A b"]],
      within: "5 min",
      to: "+999 555 000 001",
      interface: "automatic",
      kind: "summary",
      stopWords: "STOP, STOP ALL",
      template: "{{payload.name}}",
    };
    assert.deepEqual(translated(node), { id: "1", type: "x", ...node });
  });
});
