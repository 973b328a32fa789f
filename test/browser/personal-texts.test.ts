import assert from "node:assert/strict";
import { account, inject, msg, node, sender, str } from "../support/editor/flow-nodes";
import { holdAnswer } from "../support/editor/hold-answer";
import { waitFor } from "../support/wait-for";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const FLOWS = () => [
  EMPTY_TAB,
  account("account"),
  account("rows"),
  ...CSV,
  sender("saved", "sms-send", {
    ...msg("recipientAddressList", "to"),
    ...str("messageContent", "Dear {{payload.name}}"),
    braces: "literal",
  }),
  sender("people", "sms-send", {
    ...msg("recipientAddressList", "payload"),
    ...str("messageContent", "Dear {{name}}"),
    braces: "fill",
    rowNumber: "",
  }),
  sender("template", "whatsapp-send", {
    kind: "template",
    ...msg("recipients", "to"),
    ...str("templateName", "visit"),
    ...str("templateLocale", "en"),
    localizableParamsSource: "list",
    localizableParams: [{ source: "str", value: "{{payload.name}}" }],
    templateText: "Dear {{1}}, see you.",
    braces: "fill",
    rowNumber: "",
  }),
  sender("card", "rcs-send", {
    kind: "card",
    ...msg("recipients", "to"),
    ...str("title", "For {{payload.name}}"),
    ...str("description", "At nine."),
    suggestionsSource: "list",
    suggestions: [{ source: "str", value: "Yes, {{payload.name}}" }],
    braces: "fill",
    rowNumber: "",
  }),
];

const SWITCH = "#node-input-braces";
const TEXT = ".form-row:has(#node-input-messageContent)";
const FILLED = `${TEXT} .messaging-filled`;
const FAULT = `${TEXT} .messaging-personal .messaging-bad`;
const COLUMN = ".messaging-row-number";
const SAMPLE = ".messaging-sample";
const COUNTER = ".messaging-sms-counter";

/** Two people as lines of a CSV text, all in one message. */
const CSV = [
  inject("press", "lines", "name;mobile\nAnna;+41 79 955 60 01\nBen;+41 79 955 60 02"),
  node("lines", "csv", {
    ...{
      sep: ";",
      hdrin: true,
      hdrout: "none",
      multi: "mult",
      ret: "\\n",
      temp: "",
      skip: "0",
      strings: false,
    },
    wires: [["list"]],
  }),
  sender("list", "sms-send", {
    account: "rows",
    ...msg("recipientAddressList", "payload"),
    ...str("messageContent", "Dear "),
    braces: "fill",
    rowNumber: "",
  }),
];

function personalTests(bench: EditorBench): void {
  const page = () => bench.editor.page;
  const shows = async (selector: string, text: string): Promise<void> => {
    await page().locator(selector, { hasText: text }).first().waitFor();
  };
  const gone = (selector: string) => page().locator(selector).first().waitFor({ state: "hidden" });
  const saved = (id: string, property: string): Promise<unknown> =>
    page().evaluate(`RED.nodes.node("${id}").${property}`);
  const setText = (text: string): Promise<unknown> =>
    page().evaluate(
      `$("#node-input-messageContent").typedInput("type", "str").typedInput("value", ${JSON.stringify(text)})`,
    );
  const pasteRow = async (row: string): Promise<void> => {
    await page().selectOption("#messaging-sample-from", "row");
    await page().fill(`${SAMPLE} textarea`, row);
  };
  const insert = async (row: string, path: string): Promise<void> => {
    await page().click(`${row} .messaging-insert`);
    await page().locator(`${row} .messaging-values button`, { hasText: path }).first().click();
  };

  itOnBoth("fills a text of a new node with a pasted row, and inserts values at the cursor", async () => {
    const id = await bench.editor.add("sms-send");
    await bench.editor.show(id);
    await gone(SAMPLE);
    await setText("Dear , see you");
    await shows(
      `${SAMPLE} .messaging-hint`,
      "Paste a row. Or press the inject node: if the node was deployed with a text, that sends to everybody.",
    );
    await page().click(`${TEXT} .messaging-insert`);
    await page().click(`${TEXT} .messaging-values button`);
    await page().keyboard.insertText("name;mobile\nAnna Muster;+41 79 123 45 67");
    await page().evaluate(
      `document.querySelector("${TEXT} .red-ui-typedInput-input").setSelectionRange(5, 5)`,
    );
    await insert(TEXT, "payload.name");
    await shows(FILLED, "Dear Anna Muster, see you");
    await shows(COUNTER, "25 characters · GSM 7-bit · 1 SMS · 135 left (for this message)");
    await bench.editor.done();
    assert.equal(await saved(id, "messageContent"), "Dear {{payload.name}}, see you");
    assert.equal(await saved(id, "braces"), "fill");
  });

  it("names a path without a value, and writes what was probably meant", async () => {
    await bench.editor.show("people");
    await pasteRow("Name\tMobile\nAnna\t+41 79 123 45 67");
    await setText("Dear {{Nmae}}, {{other}}");
    await shows(FILLED, "Dear ⟨Nmae⟩, ⟨other⟩");
    await shows(FAULT, "“other” has no value.");
    await shows(COUNTER, "depend on the values");
    await page().click(`${FAULT} button:has-text("Name?")`);
    await shows(FILLED, "Dear Anna, ⟨other⟩");
    await setText("Dear {{Name");
    await shows(`${TEXT} .messaging-fault`, "braces without an end");
    await setText("Dear {{Name}}");
    await gone(`${TEXT} .messaging-fault`);
  });

  it("says which column has the numbers of rows, or which there are", async () => {
    // The page still has the row that a test before pasted.
    await bench.editor.reload();
    await bench.editor.show("people");
    await shows(`${COLUMN} .messaging-hint`, "For Recipients that are rows");
    await pasteRow("Name;Mobile\nAnna;+41 79 123 45 67");
    await shows(`${COLUMN} .messaging-hint`, "the number is in “Mobile”, for example +41 79 123 45 67");
    await pasteRow("Name;Phone;Handy\nAnna;1;2");
    await shows(`${COLUMN} .messaging-bad`, "Write one of: Phone, Handy");
    await page().fill("#node-input-rowNumber", "Handy");
    await shows(`${COLUMN} .messaging-hint`, "the number is in “Handy”");
    await page().fill("#node-input-rowNumber", "Fax");
    await shows(`${COLUMN} .messaging-bad`, "no column “Fax”. It has: Name, Phone, Handy");
    await page().evaluate(`$("#node-input-recipientAddressList").typedInput("type", "str")`);
    await gone(COLUMN);
  });

  itOnBoth(
    "leaves braces of a node that has them literal as they stand until somebody switches",
    async () => {
      await bench.editor.show("saved");
      assert.equal(await page().inputValue(SWITCH), "literal");
      await shows(".messaging-braces .messaging-hint", "People get the braces as they are typed");
      await gone(SAMPLE);
      await setText("Dear {{payload.name");
      assert.equal(await page().locator(`${TEXT} .messaging-fault`).count(), 0);
      await bench.editor.done();
      assert.equal(await saved("saved", "braces"), "literal");
      await bench.editor.show("saved");
      await page().selectOption(SWITCH, "fill");
      await shows(`${TEXT} .messaging-fault`, "braces without an end");
      await shows(SAMPLE, "Preview with");
      await setText("Dear Anna");
      await gone(".messaging-braces");
      await bench.editor.done();
      assert.equal(await saved("saved", "braces"), "fill");
    },
  );

  it("takes typed recipients with braces, and counts the others", async () => {
    await bench.editor.show("people");
    await page().evaluate(
      `$("#node-input-recipientAddressList").typedInput("type", "str").typedInput("value", "+41791234567, {{payload.mobile}}")`,
    );
    await shows(".messaging-recipients-bar", "Valid: 1 · invalid: 0 · duplicates: 0 · from the message: 1");
    const row = ".form-row:has(#node-input-recipientAddressList)";
    assert.equal(await page().locator(`${row} .messaging-fault`).count(), 0);
    await page().selectOption(SWITCH, "literal");
    await shows(".messaging-recipients-bar", "Valid: 1 · invalid: 1 · duplicates: 0");
    await shows(`${row} .messaging-fault`, "{{payload.mobile}}");
  });

  it("fills the parameters of a template and its text", async () => {
    await bench.editor.show("template");
    const row = ".form-row:has(#node-input-localizableParams-list)";
    await pasteRow("name;day\nAnna;Friday");
    await shows(`${row} li .messaging-filled`, "Anna");
    await shows("#messaging-template-preview .messaging-bubble", "Dear Anna, see you.");
    await insert(row, "payload.day");
    await shows(`${row} li:nth-child(2) .messaging-filled`, "Friday");
    await shows(`${row} li:nth-child(2) .messaging-entry-count`, "6 / 1,024");
    await bench.editor.done();
    assert.deepEqual(await saved("template", "localizableParams"), [
      { source: "str", value: "{{payload.name}}" },
      { source: "str", value: "{{payload.day}}" },
    ]);
  });

  itOnBoth("inserts a value of the last message, and sends each row its own text", async () => {
    const { editor, nodeRed, simulator } = bench;
    const press = () => nodeRed.inject("press");
    // The simulator starts with the first message.
    const messages = () => simulator.messages("rows").catch(() => []);
    const sent = async () => (await messages()).map(({ content }) => content).sort();
    await editor.show("list");
    await shows(`${SAMPLE} .messaging-hint`, "Paste a row. Or press the inject node");
    await editor.cancel();
    await press();
    await waitFor("the first messages", async () => (await sent()).length === 2);
    await editor.show("list");
    await shows(`${COLUMN} .messaging-hint`, "the number is in “mobile”");
    await page()
      .locator("#messaging-sample-from option:checked", { hasText: "the last message, " })
      .waitFor({ state: "attached" });
    await insert(TEXT, "name");
    await shows(FILLED, "Dear Anna");
    await shows(COUNTER, "9 characters");
    await editor.done();
    await editor.deploy();
    await press();
    await waitFor("all messages", async () => (await sent()).length === 4);
    assert.deepEqual(await sent(), ["Dear ", "Dear ", "Dear Anna", "Dear Ben"]);
  });

  it("has the values of the last message in a list that was unfolded before they were known", async () => {
    const { editor, nodeRed, simulator } = bench;
    await nodeRed.inject("press");
    await waitFor("the messages", async () => (await simulator.messages("rows").catch(() => [])).length > 1);
    const held = await holdAnswer(page(), "**/messaging-account/last-message/list");
    await editor.show("list");
    await page().click(`${TEXT} .messaging-insert`);
    await shows(`${TEXT} .messaging-values`, "Paste a row");
    await held.release();
    await page().locator(`${TEXT} .messaging-values button`, { hasText: "name" }).first().click();
    await shows(FILLED, "Dear Anna");
    await editor.cancel();
  });

  it("sends a test with the values of the sample", async () => {
    await bench.editor.show("people");
    await pasteRow("name;mobile\nAnna;+41 79 955 60 01");
    await shows(FILLED, "Dear Anna");
    await bench.editor.openGroups();
    await page().fill("#messaging-send-test-to", "+41799556001");
    await page().click(".messaging-send-test button");
    await page().waitForSelector(
      ".messaging-send-test .messaging-result-line:not(.messaging-result-line-running)",
    );
    assert.match(await page().innerText(".messaging-send-test"), /Accepted by the simulator/);
    const [message] = await bench.simulator.messages("account");
    assert.equal(message?.content, "Dear Anna");
  });

  it("fills the preview of a card", async () => {
    await bench.editor.show("card");
    await shows(".messaging-phone-title", "For ⟨payload.name⟩");
    await pasteRow('{"name":"Anna"}');
    await shows(".messaging-phone-title", "For Anna");
    await bench.editor.openGroups();
    await shows(".messaging-phone-chip", "Yes, Anna");
  });
}

onEachEditor("personal texts in dialogs", personalTests, { flows: FLOWS });
