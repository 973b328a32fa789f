import assert from "node:assert/strict";
import type { EditorPage } from "../support/editor/editor";
import type { Flows } from "../support/node-red/admin-client";
import { type EditorBench, EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";

const FLOWS: Flows = [
  EMPTY_TAB,
  { id: "account", type: "messaging-account", service: "simulator", keepMessages: "memory" },
];

function hiddenRowTests(bench: EditorBench): void {
  let editor: EditorPage;

  beforeEach(() => {
    ({ editor } = bench);
  });

  const put = (properties: Readonly<Record<string, unknown>>): Promise<string> =>
    editor.page.evaluate(`(() => {
      const defaults = Object.entries(RED.nodes.getType("messaging-rcs-send").defaults).map(([name, { value }]) => [name, structuredClone(value)]);
      const node = { ...Object.fromEntries(defaults), id: "rcs", type: "messaging-rcs-send", z: RED.workspaces.active(), x: 300, y: 300, wires: [], account: "account" };
      RED.nodes.import([Object.assign(node, ${JSON.stringify(properties)})], { generateIds: false });
      RED.nodes.dirty(false);
      RED.view.redraw(true);
      return "rcs";
    })()`);
  /** All that a node holds, and whether the editor takes it as changed. */
  const state = (id: string): Promise<unknown> =>
    editor.page.evaluate(
      // The width of a label, and with it x, depends on fonts.
      `({ ...RED.nodes.convertNode(RED.nodes.node("${id}")), x: 0, changed: !!RED.nodes.node("${id}").changed, dirty: RED.nodes.dirty() })`,
    );

  it("keeps values of hidden rows that no input can hold", async () => {
    const id = await put({
      kind: "raw",
      textMessage: "First\nSecond",
      textMessageSource: "str",
      fileUrl: { odd: true },
      fileSize: 5,
      fileSizeSource: "num",
      cards: '[{"title":"One"},\n{"title":"Two"}]',
      cardsSource: "json",
      suggestions: [{ value: "Yes", source: "str" }],
    });
    const before = await state(id);
    await editor.show(id);
    assert.equal(await editor.row("trafficType").count(), 0);
    await editor.done();
    assert.deepEqual(await state(id), before);

    await editor.show(id);
    await editor.page.selectOption("#node-input-kind", "text");
    assert.equal(
      await editor.row("textMessage").locator(".red-ui-typedInput-input").inputValue(),
      "First\nSecond",
    );
    await editor.done();
    assert.deepEqual(
      await editor.page.evaluate(
        `(({ textMessage, suggestions, fileUrl }) => [textMessage, suggestions, fileUrl])(RED.nodes.node("${id}"))`,
      ),
      ["First\nSecond", [{ value: "Yes", source: "str" }], { odd: true }],
    );
  });

  it("undoes and cancels changes of rows that were hidden", async () => {
    const id = await put({ kind: "text" });
    const before = await state(id);
    await editor.show(id);
    await editor.page.selectOption("#node-input-kind", "card");
    await editor.openGroups();
    await editor.type("title", "str", "Soup");
    await editor.cancel();
    assert.deepEqual(await state(id), before);
    await editor.show(id);
    await editor.page.selectOption("#node-input-kind", "card");
    await editor.type("title", "str", "Soup");
    await editor.done();
    assert.equal(await editor.page.evaluate(`RED.nodes.node("${id}").title`), "Soup");
    await editor.page.evaluate("RED.history.pop()");
    assert.deepEqual(await state(id), before);
  });

  it("unfolds a group with a fault, and checks rows when they become visible", async () => {
    const { page } = editor;
    const id = await put({
      kind: "raw",
      expiry: "soon",
      expirySource: "str",
      fileUrl: "nowhere",
      fileUrlSource: "str",
    });
    // The account is not complete, which is not of interest here.
    const faults = (): Promise<readonly string[]> =>
      page.evaluate(
        `(RED.nodes.node("${id}").validationErrors ?? []).filter((fault) => !fault.startsWith("Account"))`,
      );
    assert.deepEqual(await faults(), []);
    await editor.show(id);
    await page.selectOption("#node-input-kind", "file");
    assert.match(await editor.fault("fileUrl").innerText(), /must be a complete address/i);
    assert.equal(await editor.row("fileUrl").locator(".red-ui-typedInput-container.input-error").count(), 1);
    await editor.done();
    assert.equal((await faults()).length, 2);
    await editor.show(id);
    await editor.fault("expiry").waitFor();
    assert.equal(await editor.row("expiry").locator(".red-ui-typedInput-container.input-error").count(), 1);
    await editor.type("fileUrl", "str", "https://example.com/a.pdf");
    await editor.type("expiry", "blank", "");
    for (const input of ["fileUrl", "expiry"]) {
      assert.equal(await editor.row(input).locator(".messaging-fault, .input-error").count(), 0, input);
    }
    await editor.done();
    assert.deepEqual(await faults(), []);
  });
}

onEachEditor("hidden rows of a dialog", hiddenRowTests, { flows: FLOWS });
