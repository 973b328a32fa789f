import assert from "node:assert/strict";
import { account, msg, node, sender, str } from "../support/editor/flow-nodes";
import { EMPTY_TAB, type EditorBench, onEachEditor } from "../support/editor/on-each-editor";

const text = (id: string, given: Readonly<Record<string, unknown>> = {}) =>
  sender(id, "whatsapp-send", {
    kind: "text",
    ...msg("recipients", "to"),
    ...msg("content", "payload"),
    ...given,
  });
const webhook = (id: string, of: string, given: object = {}) =>
  node(id, "webhook-in", { kind: "inbound", account: of, wires: [[], []], ...given });

const FLOWS = [
  EMPTY_TAB,
  account("account", { keepMessages: "computer" }),
  account("unheard", { keepMessages: "computer" }),
  account("device"),
  webhook("hook", "account"),
  webhook("device-hook", "device"),
  webhook("status-hook", "unheard", { kind: "status", wires: [[], [], [], []] }),
  webhook("off-hook", "unheard", { d: true }),
  text("new", { outsideWindow: "send" }),
  text("set", {
    outsideWindow: "template",
    ...str("templateName", "welcome"),
    ...str("templateLocale", "en_US"),
    localizableParams: [{ value: "name", source: "msg" }],
    localizableParamsSource: "list",
  }),
];

const CHOICE = "#node-input-outsideWindow";
const NO_WEBHOOK = "#messaging-window-webhook";
const IN_MEMORY = "#messaging-window-memory";
const TEMPLATE = ["templateName", "templateLocale", "localizableParams-from", "templateText"];

function windowTests(bench: EditorBench): void {
  const propertyOf = async (id: string, name: string): Promise<unknown> =>
    (await bench.editor.held(id, [name]))[name];
  const isVisible = (selector: string): Promise<boolean> => bench.editor.page.isVisible(selector);
  /** Whether the rows of the template are shown, all of them. */
  const hasTemplate = async (): Promise<boolean> => {
    const shown = await bench.editor.shownRows(TEMPLATE);
    assert.ok(shown.length === 0 || shown.length === TEMPLATE.length, shown.join());
    return shown.length > 0;
  };

  it("asks for a template where one is sent outside the window, and keeps it", async () => {
    const { editor } = bench;
    const { page } = editor;
    await editor.show("new");
    assert.equal(await hasTemplate(), false);
    await page.selectOption(CHOICE, "reject");
    assert.equal(await hasTemplate(), false);
    await page.selectOption(CHOICE, "template");
    assert.equal(await hasTemplate(), true);
    await editor.type("templateName", "str", "");
    await editor.done();
    assert.match((await editor.invalid()).join(), /Template: /);
    await editor.show("new");
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
    await editor.show("set");
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
    await editor.show("set");
    const shown = async () => [await isVisible(NO_WEBHOOK), await isVisible(IN_MEMORY)];
    assert.deepEqual(await shown(), [false, false]);
    await page.selectOption("#node-input-account", "unheard");
    await page.waitForSelector(NO_WEBHOOK);
    assert.deepEqual(await shown(), [true, false]);
    await page.selectOption("#node-input-account", "device");
    await page.waitForSelector(IN_MEMORY);
    assert.deepEqual(await shown(), [false, true]);
    await page.selectOption(CHOICE, "send");
    assert.deepEqual(await shown(), [false, false]);
    await editor.cancel();
  });
}

onEachEditor("whatsapp-send outside the 24-hour window", windowTests, { flows: FLOWS });
