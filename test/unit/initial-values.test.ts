import assert from "node:assert/strict";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import type { Node, NodeAPI, NodeDef } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import { INITIAL_VALUES, type NodeType } from "../../lib/shared/fields/initial-values";
import { registeredNodes } from "../../scripts/build/registered";
import { ROOT } from "../support/locales/locale-files";

type Values = Readonly<Record<string, unknown>>;

interface Definition {
  readonly defaults: Readonly<Record<string, { readonly value: unknown }>>;
}

/** What the editor has as it runs the files of the nodes: their definitions, and what they do with a node that is added. */
interface Editor {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly add: (node: object) => void;
}

const TYPES = Object.keys(INITIAL_VALUES) as NodeType[];
/** Numbers of an account are texts in the editor. */
const asText = (value: unknown): unknown => (typeof value === "number" ? String(value) : value);
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
    nodes: { registerType: (type: string, definition: Definition) => definitions.set(type, definition) },
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
function configOf(type: NodeType, config: object): Values {
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
  registerNode(RED as unknown as NodeAPI, type, (_node: Node, complete: NodeDef) => {
    got = complete as unknown as Values;
  });
  make(config);
  return got;
}

/** The initial values of a type without one of them, as flows can lack it. */
const lacking = (type: NodeType): readonly (readonly [name: string, config: Values])[] =>
  Object.entries(INITIAL_VALUES[type]).flatMap(([name]) => {
    const { [name]: _, ...others } = INITIAL_VALUES[type] as Values;
    return [others, { ...others, [name]: null }, { ...others, [name]: undefined }].map(
      (config) => [name, config] as const,
    );
  });

describe("the initial values of nodes", () => {
  let editor: Editor;
  before(async () => {
    editor = await runEditor();
  });

  for (const type of TYPES) {
    describe(type, () => {
      const initial: Values = INITIAL_VALUES[type];

      it("is new with them in the editor", () => {
        const { defaults } = editor.definitions.get(type) as Definition;
        const held = Object.entries(defaults).map(([name, { value }]) => [name, asText(value)]);
        const expected = Object.entries(initial).map(([name, value]) => [name, asText(value)]);
        assert.deepEqual(plain(Object.fromEntries(held)), plain(Object.fromEntries(expected)));
      });

      it("runs with them where it lacks a property, whichever", () => {
        for (const [name, config] of lacking(type)) {
          assert.deepEqual(configOf(type, config), initial, name);
        }
        const id = { id: "n1", type, z: "tab" };
        assert.deepEqual(configOf(type, id), { ...id, ...initial }, "all of them");
      });

      it("has them in the editor where it lacks a property, whichever", () => {
        for (const [name, config] of lacking(type)) {
          const node = { type, ...config };
          editor.add(node);
          assert.deepEqual(plain(node), plain({ type, ...initial }), name);
        }
      });

      it("keeps what it has, in both, also where that is blank, zero or off", () => {
        for (const value of ["", 0, false, "of its own"]) {
          const given = Object.fromEntries(Object.keys(initial).map((name) => [name, value]));
          assert.deepEqual(configOf(type, given), given);
          const node = { type, ...given };
          editor.add(node);
          assert.deepEqual(node, { type, ...given });
        }
      });
    });
  }

  it("keep messages, guard recipients and uploads, hear stop words, and ask callers for a secret", () => {
    const {
      "messaging-account": account,
      "messaging-webhook-in": webhook,
      "messaging-media-transfer": media,
    } = INITIAL_VALUES;
    const { service, keepMessages, mobileOnly, noPremiumNumbers } = account;
    assert.deepEqual(
      { service, keepMessages, mobileOnly, noPremiumNumbers },
      { service: "simulator", keepMessages: "computer", mobileOnly: true, noPremiumNumbers: true },
    );
    assert.deepEqual([webhook.auth, webhook.optOutWords], ["query", true]);
    assert.equal(media.baseFolder, "messaging-files");
  });
});
