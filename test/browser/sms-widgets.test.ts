import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { EditorPage } from "../support/editor/editor";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { waitFor } from "../support/wait-for";

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
  /** What Ctrl+V does, without the clipboard of the machine. */
  const paste = (selector: string, text: string): Promise<unknown> =>
    editor.page.evaluate(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        element.focus();
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", ${JSON.stringify(text)});
        element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      })()`);
  const shows = async (selector: string, text: string): Promise<void> => {
    await editor.page.locator(selector, { hasText: text }).first().waitFor();
  };
  const COUNTER = ".messaging-sms-counter";
  const COUNTS = ".messaging-recipients-bar";

  beforeEach(async () => {
    editor = bench.editor;
    id = await editor.add("sms-send");
    await editor.show(id);
    await editor.page.selectOption("#node-input-account", "swiss");
  });

  itOnBoth("goes on as before when the dialog of an account has been open over it", async () => {
    await editor.showAccount();
    await editor.closeAccount();
    await editor.type("messageContent", "str", "Hello there you");
    await shows(COUNTER, "15 characters");
    await editor.type("recipientAddressList", "str", "+41791234567");
    await shows(COUNTS, "1");
    assert.equal(await editor.fault("messageContent").count(), 0);
  });

  itOnBoth("says when text and recipients read the same property", async () => {
    const hint = editor.page.locator(".messaging-same-source");
    assert.equal(await hint.isVisible(), false);
    await editor.type("recipientAddressList", "msg", "payload");
    await shows(".messaging-same-source", "“Text” and “Recipients” both read msg.payload.");
    await editor.type("messageContent", "msg", "text");
    await hint.waitFor({ state: "hidden" });
    await editor.type("recipientAddressList", "str", "+41791234567");
    await editor.type("messageContent", "msg", "payload");
    assert.equal(await hint.isVisible(), false);
  });

  itOnBoth("says how to type recipients and text, as long as they come from the message", async () => {
    const hints = editor.page.locator(".messaging-typing:visible");
    assert.deepEqual(
      await hints.allInnerTexts(),
      Array(2).fill("To type it in here, choose “text” at the arrow."),
    );
    await editor.type("messageContent", "str", "Hello");
    await waitFor("one hint", async () => (await hints.count()) === 1);
    await editor.type("recipientAddressList", "str", "+41791234567");
    await waitFor("no hint", async () => (await hints.count()) === 0);
  });

  itOnBoth("calls a typed text a text, and takes one of several lines", async () => {
    await makeLiteral("messageContent", "One");
    const row = editor.page.locator(".form-row:has(#node-input-messageContent)");
    await row.locator(".red-ui-typedInput-type-select").click();
    const options = editor.page.locator(
      ".red-ui-typedInput-options:visible .red-ui-menu-dropdown a, .red-ui-typedInput-options:visible a",
    );
    assert.ok((await options.allInnerTexts()).map((each) => each.trim()).includes("text"));
    await editor.page.keyboard.press("Escape");
    await row.locator(".red-ui-typedInput-option-expand").click();
    await editor.page.locator(".red-ui-tray-toolbar").last().getByRole("button", { name: "Done" }).waitFor();
  });

  itOnBoth("keeps the buttons of the account beside it, however long its name", async () => {
    const { page } = editor;
    await page.evaluate(
      '$("#node-input-account option:selected").text("Demo account (simulator) ".repeat(4))',
    );
    const tops = await page.evaluate<number[]>(
      '[...document.querySelectorAll("#node-input-account, #node-input-account ~ .red-ui-button, #node-input-account ~ a")].map((each) => Math.round(each.getBoundingClientRect().top))',
    );
    assert.ok(tops.length >= 3, String(tops));
    assert.ok(Math.max(...tops) - Math.min(...tops) < 10, String(tops));
    await page.hover("#node-input-account");
    assert.match(
      (await page.getAttribute("#node-input-account", "title")) ?? "",
      /^(Demo account \(simulator\) ?){4}$/,
    );
  });

  itOnBoth("counts a text while it is typed, and no text from another source", async () => {
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

  it("selects a character that needs more room", async () => {
    await makeLiteral("messageContent");
    await typed("messageContent").fill("so 😀 much ő");
    await editor.page.click(`${COUNTER} button:has-text("ő U+0151")`);
    const selected = `(() => { const i = document.activeElement; return i.value.slice(i.selectionStart, i.selectionEnd); })()`;
    assert.equal(await editor.page.evaluate(selected), "ő");
    await editor.page.click(`${COUNTER} button:has-text("U+1F600")`);
    assert.equal(await editor.page.evaluate(selected), "😀");
  });

  it("says what the chosen interface cannot send, and counts no SMS of a call", async () => {
    await makeLiteral("messageContent", "5 € für 😀");
    await editor.page.click("summary:has-text('Advanced')");
    for (const choice of ["form", "get"]) {
      await editor.page.selectOption("#node-input-interface", choice);
      const line = editor.page.locator(`${COUNTER} .messaging-bad`);
      await line.waitFor();
      assert.match((await line.textContent()) ?? "", /cannot send:€ U\+20AC😀 U\+1F600$/);
    }
    await editor.page.selectOption("#node-input-interface", "json");
    await editor.page.locator(`${COUNTER} .messaging-bad`).waitFor({ state: "detached" });
    await editor.openGroups();
    await editor.page.evaluate(
      `$("#node-input-messageType").typedInput("type", "choice").typedInput("value", "voice")`,
    );
    await editor.page.waitForFunction(`document.querySelector("${COUNTER}").textContent === "9 characters"`);
  });

  it("cannot count a text with braces before there is a message", async () => {
    await makeLiteral("messageContent", "Dear {{payload.name}}");
    await shows(COUNTER, "Characters and SMS depend on the values of each message.");
    await typed("messageContent").fill("Dear {payload.name}");
    await shows(COUNTER, "19 characters");
  });

  itOnBoth("offers the words of a choice, and not to set it, in one step", async () => {
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
    const heightOf = async (): Promise<number> => (await typed("messageContent").boundingBox())?.height ?? 0;
    const two = await heightOf();
    await typed("messageContent").press("End");
    await editor.page.keyboard.press("Enter");
    await shows(COUNTER, "8 characters");
    assert.ok((await heightOf()) > two);
    await editor.page.keyboard.press("Backspace");
    await shows(COUNTER, "7 characters");
    assert.equal(await heightOf(), two);
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

  itOnBoth("counts a pasted column, names invalid numbers, and removes duplicates", async () => {
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

  it("reads national numbers as the chosen account does", async () => {
    await makeLiteral("recipientAddressList", "079 123 45 67");
    await shows(COUNTS, "Valid: 1 · invalid: 0 · duplicates: 0");
    await editor.page.selectOption("#node-input-account", "_ADD_");
    await shows(COUNTS, "Valid: 0 · invalid: 0 · duplicates: 0 · depends on the account: 1");
  });

  it("accepts a column of up to a hundred thousand lines pasted into the field", async () => {
    await makeLiteral("recipientAddressList");
    const field = ".form-row:has(#node-input-recipientAddressList) .red-ui-typedInput-input";
    await paste(field, "+41791234567\n+41791234568\n");
    await shows(COUNTS, "Valid: 2 ·");
    assert.equal(await held("recipientAddressList"), "+41791234567, +41791234568");
    const numbers = Array.from({ length: 100_000 }, (_, at) => `+4179${1_000_000 + at}`);
    await editor.page.click(`${COUNTS} button:has-text("Paste a column")`);
    await editor.page.locator(".messaging-column").selectText();
    await paste(".messaging-column", numbers.join("\r\n"));
    await shows(COUNTS, "Valid: 100,000 ·");
    await editor.done();
    assert.equal(await saved("recipientAddressList"), numbers.join(", "));
  });
}

onEachEditor("SMS counter and recipient editor", widgetTests, { flows: [EMPTY_TAB, SWISS] });
