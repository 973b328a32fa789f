import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { account, inject, node, sender, str } from "../support/editor/flow-nodes";
import { type EditorBench, EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";
import { temporaryFolder } from "../support/node-red/packed-package";
import { waitFor } from "../support/wait-for";

/** A text that runs a script where it is taken for HTML. */
const HTML = `<img src=x onerror="window.hacked=1">`;
const ADA = "+999555000001";

async function expectText(page: Page, where: string): Promise<void> {
  const image = page.locator(`${where} img[src=x]`);
  await page.locator(where, { hasText: HTML }).or(image).first().waitFor({ state: "attached" });
  assert.equal(await image.count(), 0, where);
  assert.equal(await page.evaluate("window.hacked"), undefined, where);
}

function htmlTests(bench: EditorBench): void {
  it("shows HTML in typed values of a dialog as text", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("messaging-sms-send");
    await editor.show(id);
    await editor.type("recipientAddressList", "str", HTML);
    await expectText(page, ".messaging-fault");
    await editor.type("recipientAddressList", "str", ADA);
    await editor.type("messageContent", "str", "Dear {{name}}");
    await page.fill(".messaging-sample textarea", JSON.stringify({ name: HTML }));
    await page.evaluate(`$("#node-input-messageContent").typedInput("value", "Dear {{payload.name}}")`);
    await expectText(page, ".messaging-filled");
    await editor.cancel();
    const card = await editor.add("messaging-rcs-send");
    await editor.show(card);
    await page.selectOption("#node-input-kind", "card");
    await editor.type("title", "str", HTML);
    await expectText(page, ".messaging-phone-screen");
    await editor.cancel();
  });

  it("shows HTML in messages, numbers and names as text in every view", async () => {
    const { nodeRed, editor } = bench;
    const { page } = editor;
    await bench.deploy([
      EMPTY_TAB,
      account("account", {
        name: HTML,
        keepMessages: "computer",
        keepTexts: true,
        storeFolder: await temporaryFolder("html"),
      }),
      node("hook", "messaging-webhook-in", {
        account: "account",
        kind: "inbound",
        outputs: 2,
        wires: [[], []],
      }),
      sender("talk", "messaging-whatsapp-send", {
        name: HTML,
        kind: "text",
        ...str("recipients", ADA),
        ...str("content", HTML),
      }),
      inject("say", "talk"),
    ]);
    await nodeRed.request("POST", "/messaging-account/account/simulator/write", {
      channel: "whatsapp",
      sender: ADA,
      text: HTML,
    });
    await nodeRed.inject("say");
    await waitFor("the message in the store", async () => {
      const query = { query: {}, after: null };
      const path = "/messaging-account/account/history/search";
      const { entries } = (await nodeRed.request("POST", path, query)) as { entries: readonly object[] };
      return entries.length > 0;
    });
    await editor.renew();
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await page.locator(".messaging-history-head").first().click();
    await expectText(page, ".messaging-history-results");
    await page.locator(".messaging-history-form select").first().selectOption("conversation");
    await page.fill(".messaging-history-form input[type=text]", ADA);
    await page.keyboard.press("Enter");
    await page.locator(".messaging-conversation-bubble").nth(1).waitFor();
    await expectText(page, ".messaging-conversation");
    await page.fill(".messaging-history-form input[type=text]", HTML);
    await page.locator(".messaging-history-form select").first().selectOption("number");
    await page.evaluate('RED.actions.invoke("messaging:show-opt-outs-tab")');
    await nodeRed.request("POST", "/messaging-account/account/opt-outs/add", { number: ADA, scope: "all" });
    await page.fill(".messaging-opt-outs-form input", "");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Take ${ADA} off the list` }).click();
    await expectText(page, ".red-ui-notification");
    await page.locator(".red-ui-notification button").first().click();
    await page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
    await page.locator(".messaging-activity-simulator > .messaging-activity-heading").click();
    await expectText(page, ".messaging-activity-messages");
  });
}

onEachEditor("HTML in texts of others", htmlTests, {
  flows: [EMPTY_TAB, account("account")],
  sidebar: "renewed",
});
