import assert from "node:assert/strict";
import { openNode } from "../support/editor/gallery";
import { EMPTY_TAB, type EditorBench, onEachEditor } from "../support/editor/on-each-editor";

const sender = (id: string, given: object) => ({
  id,
  type: "whatsapp-send",
  z: "tab",
  x: 200,
  y: 100,
  account: "heard",
  outputs: 4,
  wires: [[], [], [], []],
  kind: "text",
  recipients: "to",
  recipientsSource: "msg",
  content: "payload",
  contentSource: "msg",
  ...given,
});
const webhook = (id: string, account: string, given: object = {}) => ({
  id,
  type: "webhook-in",
  z: "tab",
  x: 200,
  y: 200,
  kind: "inbound",
  account,
  wires: [[], []],
  ...given,
});

const FLOWS = [
  EMPTY_TAB,
  { id: "heard", type: "messaging-account", service: "simulator", keepMessages: "computer" },
  { id: "unheard", type: "messaging-account", service: "simulator", keepMessages: "computer" },
  { id: "memory", type: "messaging-account", service: "simulator", keepMessages: "memory" },
  webhook("hook", "heard"),
  webhook("memory-hook", "memory"),
  webhook("status-hook", "unheard", { kind: "status", wires: [[], [], [], []] }),
  webhook("off-hook", "unheard", { d: true }),
  sender("new", { outsideWindow: "send" }),
  sender("set", {
    outsideWindow: "template",
    templateName: "welcome",
    templateNameSource: "str",
    templateLocale: "en_US",
    templateLocaleSource: "str",
    localizableParams: [{ value: "name", source: "msg" }],
    localizableParamsSource: "list",
  }),
];

const CHOICE = "#node-input-outsideWindow";
const NO_WEBHOOK = "#messaging-window-webhook";
const IN_MEMORY = "#messaging-window-memory";
const TEMPLATE = ["templateName", "templateLocale", "localizableParams-from", "templateText"];

function windowTests(bench: EditorBench): void {
  const propertyOf = (id: string, name: string): Promise<unknown> =>
    bench.editor.page.evaluate(`RED.nodes.node("${id}").${name}`);
  const isVisible = (selector: string): Promise<boolean> => bench.editor.page.isVisible(selector);
  /** Whether the rows of the template are shown, all of them. */
  const hasTemplate = async (): Promise<boolean> => {
    const rows = TEMPLATE.map((name) => `.form-row:has(#node-input-${name})`);
    const shown = await Promise.all(rows.map(isVisible));
    assert.equal(new Set(shown).size, 1, shown.join());
    return shown[0] === true;
  };

  it("asks for a template where one is sent outside the window, and keeps it", async () => {
    const { editor } = bench;
    const { page } = editor;
    await openNode(editor, "new");
    assert.equal(await hasTemplate(), false);
    await page.selectOption(CHOICE, "reject");
    assert.equal(await hasTemplate(), false);
    await page.selectOption(CHOICE, "template");
    assert.equal(await hasTemplate(), true);
    await editor.type("templateName", "str", "");
    await editor.done();
    assert.match((await editor.invalid()).join(), /Template: /);
    await openNode(editor, "new");
    await editor.type("templateName", "str", "welcome");
    await editor.type("templateLocale", "str", "en_US");
    await editor.done();
    assert.doesNotMatch((await editor.invalid()).join(), /Template: |Language: /);
    assert.equal(await propertyOf("new", "outsideWindow"), "template");
    assert.equal(await propertyOf("new", "templateName"), "welcome");
    assert.equal(await propertyOf("new", "kind"), "text");
  });

  it("shows what is set, and the choice for texts only", async () => {
    const { editor } = bench;
    const { page } = editor;
    await openNode(editor, "set");
    assert.equal(await page.inputValue(CHOICE), "template");
    assert.equal(await hasTemplate(), true);
    assert.equal((await editor.values())["node-input-templateName"], "welcome");
    await page.selectOption("#node-input-kind", "media");
    assert.deepEqual([await isVisible(CHOICE), await hasTemplate()], [false, false]);
    await page.selectOption("#node-input-kind", "template");
    assert.deepEqual([await isVisible(CHOICE), await hasTemplate()], [false, true]);
    await editor.cancel();
  });

  it("warns where nothing in the flows is told that people write, and says what an account in memory forgets", async () => {
    const { editor } = bench;
    const { page } = editor;
    await openNode(editor, "set");
    const shown = async () => [await isVisible(NO_WEBHOOK), await isVisible(IN_MEMORY)];
    assert.deepEqual(await shown(), [false, false]);
    await page.selectOption("#node-input-account", "unheard");
    await page.waitForSelector(NO_WEBHOOK);
    assert.deepEqual(await shown(), [true, false]);
    await page.selectOption("#node-input-account", "memory");
    await page.waitForSelector(IN_MEMORY);
    assert.deepEqual(await shown(), [false, true]);
    await page.selectOption(CHOICE, "send");
    assert.deepEqual(await shown(), [false, false]);
    await editor.cancel();
  });
}

onEachEditor("whatsapp-send outside the 24-hour window", windowTests, { flows: FLOWS });
