import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { account } from "../support/editor/flow-nodes";
import { type EditorBench, EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";

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
}

onEachEditor("HTML in texts of others", htmlTests, {
  flows: [EMPTY_TAB, account("account")],
});
