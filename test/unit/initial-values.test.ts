import assert from "node:assert/strict";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import { ACCOUNT_VALUES } from "../../lib/shared/fields/account-defaults";
import { MEDIA_SETTINGS } from "../../nodes/media-transfer/shared/media-fields";
import { WEBHOOK_VALUES } from "../../lib/shared/fields/webhook-defaults";
import MANIFEST from "../../package.json";
import { registeredNodes } from "../../scripts/build/registered";
import { ROOT } from "../support/locales/locale-files";
import { type AnyRuntime, loadNodeRuntimes } from "../support/node-runtimes";

const MODULE = MANIFEST.name;

type Values = Readonly<Record<string, unknown>>;

interface Definition {
  readonly defaults: Readonly<Record<string, { readonly value: unknown }>>;
}

/** What the editor has as it runs the files of the nodes: their definitions, and what they do with a node that is added. */
interface Editor {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly add: (node: object) => void;
}

const TYPES = Object.keys(MANIFEST["node-red"].nodes);
/** Numbers of an account are texts in the editor. */
const asText = (value: unknown): unknown => (typeof value === "number" ? String(value) : value);
const asTexts = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asText(value)]));
const plain = (values: Values): Values => JSON.parse(JSON.stringify(values));

/** Takes every call and has every property. */
const anything = (): unknown =>
  new Proxy(() => {}, {
    get: (_target, name) => (name === Symbol.toPrimitive ? () => "" : anything()),
    apply: () => anything(),
    construct: () => anything() as object,
  });

async function runEditor(): Promise<Editor> {
  const nodes = await registeredNodes(ROOT);
  const { outputFiles } = await build({
    stdin: {
      contents: nodes.map(({ folder, stem }) => `import "./nodes/${folder}/${stem}.editor";`).join("\n"),
      resolveDir: ROOT,
    },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    loader: { ".css": "text" },
    logLevel: "silent",
  });
  const definitions = new Map<string, Definition>();
  const added: ((node: object) => void)[] = [];
  const RED = {
    nodes: {
      registerType: (type: string, definition: Definition) => definitions.set(type, definition),
      getType: (type: string) => ({ set: { module: MODULE }, ...definitions.get(type) }),
    },
    events: {
      on: (event: string, heard: (node: object) => void) => event === "nodes:add" && added.push(heard),
    },
    _: () => "",
  };
  const page = createContext({
    RED,
    $: anything(),
    document: anything(),
    structuredClone,
    console,
    // There are no labels to draw.
    queueMicrotask: () => {},
  });
  runInContext(outputFiles[0]?.text ?? "", page);
  return {
    definitions,
    add(node) {
      for (const heard of added) heard(node);
    },
  };
}

/** What a node of the runtime gets for its configuration. */
function configOf(type: string, { initial, labels }: AnyRuntime, config: object): Values {
  let got: Values = {};
  let make = (_config: object): void => {};
  const RED = {
    nodes: {
      createNode: () => {},
      registerType: (_type: string, construct: (this: object, config: object) => void) => {
        make = (given) => construct.call({ error: () => {} }, given);
      },
    },
    _: () => "en-US",
  };
  registerNode(RED as unknown as NodeAPI, type, () => ({
    initial,
    labels,
    start: (_RED, _node, complete) => {
      got = complete as unknown as Values;
    },
  }));
  make(config);
  return got;
}

/** Initial values without one of them, as flows can lack it. */
const lacking = (initial: Values): readonly (readonly [name: string, config: Values])[] =>
  Object.entries(initial).flatMap(([name]) => {
    const { [name]: _, ...others } = initial;
    return [others, { ...others, [name]: null }, { ...others, [name]: undefined }].map(
      (config) => [name, config] as const,
    );
  });

describe("the initial values of nodes", () => {
  let editor: Editor;
  let runtimes: ReadonlyMap<string, AnyRuntime>;
  before(async () => {
    editor = await runEditor();
    runtimes = await loadNodeRuntimes();
  });

  for (const type of TYPES) {
    describe(type, () => {
      let runtime: AnyRuntime;
      let initial: Values;
      before(() => {
        runtime = runtimes.get(type) as AnyRuntime;
        initial = runtime.initial;
      });

      it("is new with them in the editor", () => {
        const { defaults } = editor.definitions.get(type) as Definition;
        const held = Object.entries(defaults).map(([name, { value }]) => [name, asText(value)]);
        const expected = Object.entries(initial).map(([name, value]) => [name, asText(value)]);
        assert.deepEqual(plain(Object.fromEntries(held)), plain(Object.fromEntries(expected)));
      });

      it("runs with them where it lacks a property, whichever", () => {
        for (const [name, config] of lacking(initial)) {
          assert.deepEqual(configOf(type, runtime, config), initial, name);
        }
        const id = { id: "n1", type, z: "tab" };
        assert.deepEqual(configOf(type, runtime, id), { ...id, ...initial }, "all of them");
      });

      it("has them in the editor where it lacks a property, whichever", () => {
        for (const [name, config] of lacking(initial)) {
          const node = { type, ...config };
          editor.add(node);
          assert.deepEqual(plain(asTexts(node)), plain({ type, ...asTexts(initial) }), name);
        }
      });

      it("keeps what it has, in both, also where that is blank, zero or off", () => {
        for (const value of ["", 0, false, "of its own"]) {
          const given = Object.fromEntries(Object.keys(initial).map((name) => [name, value]));
          assert.deepEqual(configOf(type, runtime, given), given);
          const node = { type, ...given };
          editor.add(node);
          assert.deepEqual(node, { type, ...given });
        }
      });
    });
  }

  it("keep messages, guard recipients and uploads, hear stop words, and ask callers for a secret", () => {
    const { service, keepMessages, mobileOnly, noPremiumNumbers } = ACCOUNT_VALUES;
    assert.deepEqual(
      { service, keepMessages, mobileOnly, noPremiumNumbers },
      { service: "simulator", keepMessages: "computer", mobileOnly: true, noPremiumNumbers: true },
    );
    assert.deepEqual([WEBHOOK_VALUES.auth, WEBHOOK_VALUES.optOutWords], ["query", true]);
    assert.equal(MEDIA_SETTINGS.baseFolder, "messaging-files");
  });
});
