import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { Example } from "../../support/examples";
import { account, inject, sender, str } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { seriousFaults } from "../../support/editor/serious-faults";
import type { Flows } from "../../support/node-red/admin-client";
import { temporaryFolder } from "../../support/node-red/packed-package";

const PERSON = "+41791119999";

const kept = (id: string, name: string, storeFolder: string) =>
  account(id, { name, keepMessages: "computer", storeFolder });
const of = (id: string, name: string) => [
  sender(`${id}-node`, "sms-send", { name, account: id, ...str("recipientAddressList", PERSON) }),
  inject(`${id}-begin`, `${id}-node`),
];

const flowsIn = (one: string, other: string): Flows => [
  { id: "tab", type: "tab", label: "accounts" },
  kept("one", "A shop", one),
  kept("two", "B shop", other),
  account("device", { name: "Device" }),
  ...of("one", "Orders"),
  ...of("two", "Invoices"),
  ...of("device", "Alarms"),
];

function accountTests(bench: EditorBench): void {
  const VIEWS = {
    activity: ".messaging-activity-entries",
    history: ".messaging-history",
    optOuts: ".messaging-opt-outs",
  };
  const show = (page: Page, view: string): Promise<unknown> =>
    page.evaluate(`RED.actions.invoke("messaging:show-${view}-tab")`);
  const picker = (page: Page) => page.locator(".messaging-sidebar > :not([hidden]) select").first();
  const nodes = async (page: Page, view: string): Promise<readonly string[]> =>
    page.locator(`${view} .messaging-activity-node`).allInnerTexts();
  const shows = async (page: Page, view: string, ...wanted: string[]): Promise<void> => {
    const rows = `[...document.querySelectorAll("${view} .messaging-activity-node")].map((row) => row.textContent)`;
    await page
      .waitForFunction(`JSON.stringify(${rows}) === ${JSON.stringify(JSON.stringify(wanted))}`)
      .catch(() => {});
    assert.deepEqual(await nodes(page, view), wanted);
  };

  itOnBoth("has one choice of account for all views, and all accounts among them", async () => {
    await bench.deploy(flowsIn(await temporaryFolder("one"), await temporaryFolder("two")));
    const { nodeRed } = bench;
    await nodeRed.request("DELETE", "/messaging-account/activity");
    await bench.editor.renew();
    const { page } = bench.editor;
    await show(page, "activity");
    const order = ["one", "two", "device"];
    for (const [at, id] of order.entries()) {
      await nodeRed.inject(`${id}-begin`);
      await page.locator(`${VIEWS.activity} .messaging-activity-node`).nth(at).waitFor();
    }
    assert.equal(await picker(page).inputValue(), "");
    await shows(page, VIEWS.activity, "Alarms", "Invoices", "Orders");
    await picker(page).selectOption("two");
    await shows(page, VIEWS.activity, "Invoices");
    const chip = (hasText: RegExp) =>
      page.locator(".messaging-activity-chips .messaging-activity-chip:not([hidden])", { hasText }).waitFor();
    await chip(/^1\s*sent$/);
    assert.match(await page.innerText(".messaging-activity-since"), /^since/);
    await picker(page).selectOption("");
    await chip(/^3\s*sent$/);
    await picker(page).selectOption("two");

    await show(page, "history");
    assert.equal(await picker(page).inputValue(), "two");
    await shows(page, VIEWS.history, "Invoices");
    assert.equal(await page.locator(".messaging-history-queue").isVisible(), true);
    await picker(page).selectOption("");
    const both = ["Invoices · B shop (simulator)", "Orders · A shop (simulator)"];
    await shows(page, VIEWS.history, ...both);
    await page
      .getByText("Without the account “Device (simulator)”, which keeps messages in memory only.")
      .waitFor();
    assert.equal(await page.locator(".messaging-history-queue").isVisible(), false);
    await page.getByText("choose an account to see them").waitFor();
    await page.fill(".messaging-history-form input[type=text]", "9999");
    await page.keyboard.press("Enter");
    await shows(page, VIEWS.history, ...both);
    await page.locator(".messaging-history-head").nth(1).click();
    await page.locator(`${VIEWS.history} .messaging-activity-details dl`).waitFor();
    assert.deepEqual(await seriousFaults(page, VIEWS.history), []);

    for (const [id, number] of [
      ["one", PERSON],
      ["two", "+41791119998"],
    ]) {
      await nodeRed.request("POST", `/messaging-account/${id}/opt-outs/add`, { number, scope: "all" });
    }
    await show(page, "opt-outs");
    assert.equal(await picker(page).inputValue(), "");
    const entries = page.locator(".messaging-opt-outs-entry");
    await page.locator(".messaging-opt-outs-count", { hasText: "all accounts: 2 numbers" }).waitFor();
    await entries.nth(1).waitFor();
    const facts = (await entries.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    assert.match(facts[0] ?? "", /9999 .*A shop \(simulator\)/);
    assert.match(facts[1] ?? "", /9998 .*B shop \(simulator\)/);
    await page.fill(".messaging-opt-outs-form input", "079 111 99 98");
    assert.equal(
      await page.locator(".messaging-opt-outs-form button", { hasText: "Add" }).isDisabled(),
      true,
    );
    await page.fill(".messaging-opt-outs-form input", "+41791119998");
    await page.keyboard.press("Enter");
    await entries.nth(1).waitFor({ state: "detached" });
    await entries.getByText("B shop").waitFor();
    await page.getByRole("button", { name: "Take +41791119998 off the list" }).click();
    await page
      .locator(".red-ui-notification", { hasText: "messages of the account “B shop (simulator)”" })
      .waitFor();
    await page.click(".red-ui-notification button.primary");
    await page.locator(".messaging-opt-outs-count", { hasText: "all accounts: 1 number" }).waitFor();
    await picker(page).selectOption("one");
    await show(page, "history");
    await shows(page, VIEWS.history, "Orders");
  });

  it("stays the chosen one, and that of a conversation, when an example brings another account", async () => {
    const example = JSON.stringify(new Example("10 - Auto-reply").flows);
    const added = (page: Page): Promise<unknown> =>
      picker(page).locator("option", { hasText: "Demo account 10" }).waitFor({ state: "attached" });
    await bench.deploy(flowsIn(await temporaryFolder("one"), await temporaryFolder("two")));
    await bench.editor.renew();
    let { page } = bench.editor;
    await show(page, "history");
    await picker(page).selectOption("two");
    await bench.editor.import(example);
    await added(page);
    assert.equal(await picker(page).inputValue(), "two");

    const storeFolder = await temporaryFolder("talk");
    await bench.deploy([
      { id: "tab", type: "tab", label: "accounts" },
      account("one", { name: "A shop", keepMessages: "computer", keepTexts: true, storeFolder }),
      ...of("one", "Orders"),
    ]);
    await bench.editor.renew();
    ({ page } = bench.editor);
    await bench.nodeRed.inject("one-begin");
    await show(page, "history");
    await page.locator(".messaging-history-form select").first().selectOption("conversation");
    await page.fill(".messaging-history-form input[type=text]", PERSON);
    await page.keyboard.press("Enter");
    const bubble = page.locator(".messaging-conversation-bubble");
    await bubble.first().waitFor();
    // Keys of a text field are not those of the editor.
    await page.evaluate("document.activeElement.blur()");
    await bench.editor.import(example);
    await added(page);
    assert.equal(await picker(page).inputValue(), "one");
    await bubble.first().waitFor();
  });
}

onEachEditor("the account that the views are about", accountTests, { sidebar: "renewed" });
