// Slow: it opens and fills many dialogs in a browser.
import assert from "node:assert/strict";
import { account, msg, sender, str } from "../support/editor/flow-nodes";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const FLOWS = () => [
  EMPTY_TAB,
  account("account"),
  sender("saved", "messaging-sms-send", {
    ...msg("recipientAddressList", "to"),
    ...str("messageContent", "Dear {{payload.name}}"),
    braces: "literal",
  }),
  sender("count-recipients", "messaging-sms-send", {
    ...msg("recipientAddressList", "payload"),
    ...str("messageContent", "Dear {{name}}"),
    braces: "fill",
    rowNumber: "",
  }),
  sender("template", "messaging-whatsapp-send", {
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
];

const SWITCH = "#node-input-braces";
const TEXT = ".form-row:has(#node-input-messageContent)";
const FILLED = `${TEXT} .messaging-filled`;
const COLUMN = ".messaging-row-number";
const SAMPLE = ".messaging-sample";
const COUNTER = ".messaging-sms-counter";

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
  const pasteRow = (row: string): Promise<void> => page().fill(`${SAMPLE} textarea`, row);
  const insert = async (row: string, path: string): Promise<void> => {
    await page().click(`${row} .messaging-insert`);
    await page().locator(`${row} .messaging-values button`, { hasText: path }).first().click();
  };

  itOnBoth("fills a text with a pasted row, and inserts values at the cursor", async () => {
    const id = await bench.editor.add("messaging-sms-send");
    await bench.editor.show(id);
    await gone(SAMPLE);
    await setText("Dear , see you");
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

  it("shows which column has the numbers of rows, or which columns exist", async () => {
    // The page still has the row that a test before pasted.
    await bench.editor.reload();
    await bench.editor.show("count-recipients");
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

  it("leaves literal braces as they are until they are switched to be filled", async () => {
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

  it("sends a test with the values of the sample", async () => {
    await bench.editor.show("count-recipients");
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
}

onEachEditor("personal texts in dialogs", personalTests, { flows: FLOWS });
