import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { EditorPage } from "../../../support/editor/editor";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../../../support/editor/on-each-editor";

const SWISS = {
  id: "swiss",
  type: "messaging-account",
  name: "Swiss",
  service: "simulator",
  keepMessages: "memory",
  defaultCountry: "CH",
};

function widgetTests(bench: EditorBench): void {
  let editor: EditorPage;
  let id: string;

  /** The input that a person types into. */
  const typed = (name: string): Locator =>
    editor.page.locator(`.form-row:has(#node-input-${name}) .red-ui-typedInput-input`);
  const held = (name: string): Promise<unknown> => editor.page.evaluate(`$("#node-input-${name}").val()`);
  const saved = (name: string): Promise<unknown> =>
    editor.page.evaluate(`RED.nodes.node(${JSON.stringify(id)}).${name}`);
  const makeLiteral = (name: string, value = ""): Promise<unknown> =>
    editor.page.evaluate(
      `$("#node-input-${name}").typedInput("type", "str").typedInput("value", ${JSON.stringify(value)})`,
    );
  const shows = async (selector: string, text: string): Promise<void> => {
    await editor.page.locator(selector, { hasText: text }).first().waitFor();
  };
  const COUNTER = ".messaging-sms-counter";
  const COUNTS = ".messaging-recipients-bar";

  beforeEach(async () => {
    editor = bench.editor;
    id = await editor.add("messaging-sms-send");
    await editor.show(id);
    await editor.page.selectOption("#node-input-account", "swiss");
  });

  itOnBoth("counts a text while it is typed, and no text of a message", async () => {
    const counter = editor.page.locator(COUNTER);
    assert.equal(await counter.isVisible(), false);
    await makeLiteral("messageContent", "a".repeat(159));
    await shows(COUNTER, "159 characters · GSM 7-bit · 1 SMS · 1 left");
    await typed("messageContent").press("End");
    await editor.page.keyboard.type("b");
    await shows(COUNTER, "160 characters · GSM 7-bit · 1 SMS · 0 left");
    await editor.page.keyboard.type("€");
    await shows(COUNTER, "161 characters · GSM 7-bit · 2 SMS · 144 left");
    await shows(COUNTER, "Counted twice:");
    await typed("messageContent").fill("Grüße 😀");
    await shows(COUNTER, "7 characters · Unicode · 1 SMS · 62 left");
    await editor.page.evaluate(`$("#node-input-messageContent").typedInput("type", "msg")`);
    await counter.waitFor({ state: "hidden" });
  });

  it("saves a choice, and that it is not set", async () => {
    const choose = (word: string): Promise<void> =>
      editor.choose(editor.row("contentCategory").locator(".red-ui-typedInput-option-trigger"), word);
    const both = async (): Promise<readonly unknown[]> => [
      await saved("contentCategorySource"),
      await saved("contentCategory"),
    ];
    await editor.openGroups();
    await choose("advertisement");
    await editor.done();
    assert.deepEqual(await both(), ["choice", "advertisement"]);
    await editor.show(id);
    await editor.openGroups();
    await choose("not set");
    await editor.done();
    assert.deepEqual(await both(), ["blank", ""]);
  });

  it("keeps the lines of a text", async () => {
    await makeLiteral("messageContent");
    await typed("messageContent").focus();
    await editor.page.keyboard.insertText("one\ntwo");
    assert.equal(await typed("messageContent").inputValue(), "one\ntwo");
    await shows(COUNTER, "7 characters");
    await editor.page.click(".form-row:has(#node-input-messageContent) .red-ui-typedInput-option-expand");
    const written = "#node-input-text .ace_editor, #node-input-text.ace_editor";
    await editor.page.waitForSelector(written, { state: "attached" });
    await editor.settled();
    await editor.page.evaluate(
      `((text) => (text.navigateFileEnd(), text.insert("!\\nthree")))(ace.edit(document.querySelector("${written}")))`,
    );
    await editor.page.locator("#node-dialog-ok").last().click();
    await shows(COUNTER, "14 characters · GSM 7-bit");
    await editor.done();
    assert.equal(await saved("messageContent"), "one\ntwo!\nthree");
    await editor.show(id);
    assert.equal(await held("messageContent"), "one\ntwo!\nthree");
    await editor.done();
    assert.equal(await saved("messageContent"), "one\ntwo!\nthree");
  });

  it("counts a pasted column, names invalid numbers, removes duplicates", async () => {
    await makeLiteral("recipientAddressList");
    await shows(COUNTS, "No number yet.");
    await editor.page.click(`${COUNTS} button:has-text("Paste a column")`);
    await editor.page.keyboard.insertText(
      "Phone\n079 123 45 67\n+41 79 123 45 67\t+41791234568; 0041791234568\n\n+4179",
    );
    await shows(COUNTS, "Valid: 2 · invalid: 2 · duplicates: 2");
    await shows(".messaging-recipients li", "“Phone”: is not a phone number");
    await shows(".messaging-recipients li", "“+4179”: has too few digits");
    const line = "Phone, 079 123 45 67, +41 79 123 45 67, +41791234568, 0041791234568, +4179";
    assert.equal(await held("recipientAddressList"), line);
    await editor.page.click(`${COUNTS} button:has-text("Remove duplicates")`);
    await shows(COUNTS, "Valid: 2 · invalid: 2 · duplicates: 0");
    assert.equal(
      await editor.page.inputValue(".messaging-column"),
      "Phone\n079 123 45 67\n+41791234568\n+4179",
    );
    await editor.done();
    assert.equal(await saved("recipientAddressList"), "Phone, 079 123 45 67, +41791234568, +4179");
    await editor.show(id);
    await shows(COUNTS, "Valid: 2 · invalid: 2 · duplicates: 0");
  });
}

onEachEditor("SMS counter and recipient editor", widgetTests, { flows: [EMPTY_TAB, SWISS] });
