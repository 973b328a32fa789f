// Slow: it opens and fills many dialogs in a browser.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { EditorPage } from "../../../support/editor/editor";
import { itOnBoth, onEachEditor } from "../../../support/editor/on-each-editor";

const WRITTEN = [
  { title: "Mine", "x-note": 7, suggestions: [{ action: { displayText: "Odd", deviceAction: {} } }, "Yes"] },
  { description: "Second" },
];

onEachEditor("RCS composer in the editor", (bench) => {
  let editor: EditorPage;
  let id: string;

  beforeEach(async () => {
    editor = bench.editor;
    id = await editor.add("messaging-rcs-send");
    await editor.show(id);
  });

  const rowOf = (input: string): Locator =>
    editor.page.locator(".form-row", { has: editor.page.locator(`[id="node-input-${input}"]`) });
  const screen = (): Promise<string> => editor.page.locator(".messaging-phone-screen").innerText();

  /** Chooses where a field comes from, in the menu of its input. */
  const choose = (input: string, source: string): Promise<void> =>
    editor.choose(rowOf(input).locator(".red-ui-typedInput-type-select").first(), source);

  /** What the node holds in the editor, after the dialog was closed. */
  const stored = (name: string): Promise<unknown> =>
    editor.page.evaluate(`RED.nodes.node(${JSON.stringify(id)})[${JSON.stringify(name)}]`);

  /** Writes JSON into Node-RED's own editor for it, which the button opens. */
  async function editJson(row: Locator, change: (text: string) => string): Promise<void> {
    await row.locator(".messaging-compose-tools button").last().click();
    const written = ".red-ui-tray:last-child .ace_editor";
    await editor.page.waitForFunction(
      `document.querySelector("#dialog-form .messaging-composer") === null && document.querySelector("${written}") !== null`,
    );
    await editor.settled();
    const session = `ace.edit(document.querySelector("${written}")).getSession()`;
    const text = (await editor.page.evaluate(`${session}.getValue()`)) as string;
    await editor.page.evaluate(`${session}.setValue(${JSON.stringify(change(text))})`);
    await editor.page.click("#node-dialog-ok");
    await row.waitFor();
    await editor.settled();
  }

  async function suggest(
    item: Locator,
    kind: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<void> {
    await item.locator("[data-field=kind]").selectOption(kind);
    for (const [name, value] of Object.entries(fields)) {
      await item.locator(`[data-field=${name}]`).fill(value);
    }
  }

  itOnBoth("composes a card with two suggestions, and keeps it", async () => {
    const { page } = editor;
    await page.fill("#node-input-name", "card");
    await page.selectOption("#node-input-kind", "card");
    await choose("title", "text");
    await rowOf("title").locator(".red-ui-typedInput-input").fill("Soup of the day");
    assert.match(await screen(), /Soup of the day/);
    assert.match(await screen(), /⟨msg\.payload⟩/);

    await choose("cardSuggestions-from", "buttons with actions");
    const row = rowOf("cardSuggestions-from");
    const add = row.locator(".messaging-composer .red-ui-editableList-addButton");
    const items = row.locator(".messaging-composer .red-ui-editableList-item-content");
    await add.click();
    await suggest(items.nth(0), "reply", { text: "Order", data: "order-7" });
    await add.click();
    await suggest(items.nth(1), "url", { text: "Menu with all of the soups", url: "nowhere" });
    assert.match(await row.innerText(), /text on the button: may have at most 25 characters, but has 26/);
    assert.match(await row.innerText(), /must be a complete address/);
    await suggest(items.nth(1), "url", { text: "Menu", url: "https://example.com/menu" });
    assert.equal(await row.locator(".messaging-compose-fault").count(), 0);
    assert.match(await screen(), /Order[\s\S]*Menu/);
    await editor.done();

    const expected = '[{"text":"Order","data":"order-7"},{"text":"Menu","url":"https://example.com/menu"}]';
    assert.equal(await stored("cardSuggestions"), expected);
    assert.equal(await stored("cardSuggestionsSource"), "json");
    assert.equal(await stored("title"), "Soup of the day");

    await editor.show(id);
    assert.equal(await items.nth(1).locator("[data-field=url]").inputValue(), "https://example.com/menu");
    assert.match(await screen(), /Soup of the day[\s\S]*Order[\s\S]*Menu/);
    await editor.done();
    assert.equal(await stored("cardSuggestions"), expected);
  });

  it("keeps JSON of a carousel, also JSON that it cannot show", async () => {
    const { page } = editor;
    await page.selectOption("#node-input-kind", "carousel");
    await choose("cards", "one by one");
    const row = rowOf("cards");
    const cards = row.locator(".messaging-compose-card");
    await editJson(row, () => JSON.stringify(WRITTEN));
    await cards.nth(1).waitFor();
    assert.equal(await cards.count(), 2);
    await cards.nth(1).locator("[data-field=description]").fill("Changed");
    const [first] = WRITTEN;
    const changed = [first, { description: "Changed" }];
    await editJson(row, (text) => {
      assert.deepEqual(JSON.parse(text), changed);
      return '[{"title":5}]';
    });
    await row.getByText("cannot be shown one by one: card 1: title is not a text").waitFor();
    assert.equal(await cards.filter({ visible: true }).count(), 0);
    await page.selectOption("#node-input-kind", "text");
    await page.selectOption("#node-input-kind", "carousel");
    await editor.done();
    assert.equal(await stored("cards"), '[{"title":5}]');
    await editor.show(id);
    await editJson(row, () => JSON.stringify(WRITTEN));
    await cards.filter({ visible: true }).nth(1).waitFor();
    assert.equal(await cards.filter({ visible: true }).count(), 2);
    await editor.done();
    assert.deepEqual(JSON.parse(String(await stored("cards"))), WRITTEN);
  });
});
