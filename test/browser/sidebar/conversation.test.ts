// Slow: each test deploys a new store and waits for a message in it.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { account, sender, str } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { seriousFaults } from "../../support/editor/serious-faults";
import type { Flows } from "../../support/node-red/admin-client";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { waitFor } from "../../support/wait-for";

const ADA = "+999555000001";

const flowsOf = (storeFolder: string, keepTexts: boolean): Flows => [
  { id: "tab", type: "tab", label: "conversation" },
  account("kept", { name: "A shop", keepMessages: "computer", keepTexts, storeFolder }),
  {
    id: "hook",
    z: "tab",
    type: "messaging-webhook-in",
    name: "Messages",
    account: "kept",
    kind: "inbound",
    channel: "all",
    wires: [[], []],
  },
  sender("talk", "messaging-whatsapp-send", {
    name: "Answers",
    account: "kept",
    kind: "text",
    ...str("recipients", ADA),
    ...str("content", "Good day.\nHow can we help?"),
  }),
  { id: "say", z: "tab", type: "inject", props: [], wires: [["talk"]] },
];

function conversationTests(bench: EditorBench): void {
  const VIEW = ".messaging-history";
  const bubbles = `${VIEW} .messaging-conversation-bubble`;
  const notice = (page: Page, hasText: string | RegExp) =>
    page.locator(".messaging-conversation .messaging-history-notice", { hasText });
  const write = (text: string, channel = "whatsapp"): Promise<unknown> =>
    bench.nodeRed.request("POST", "/messaging-account/kept/simulator/write", { channel, sender: ADA, text });
  const found = (): Promise<{ entries: { outcome: string | null }[] }> =>
    bench.nodeRed.request("POST", "/messaging-account/kept/history/search", {
      query: {},
      after: null,
    }) as never;

  /** Shows the history of an account with a conversation: Ada writes, and gets an answer. */
  async function show(keepTexts = true): Promise<Page> {
    await bench.deploy(flowsOf(await temporaryFolder("conversation"), keepTexts));
    await write("Hello, is anybody there?");
    await bench.nodeRed.inject("say");
    await waitFor("the answer in the store", async () => (await found()).entries[0]?.outcome === "sent");
    await bench.editor.renew();
    const { page } = bench.editor;
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await page.locator(`${VIEW} select`).first().selectOption("kept");
    await page.locator(".messaging-history-head").first().waitFor();
    return page;
  }
  const choose = (page: Page): Promise<unknown> =>
    page.locator(".messaging-history-form select").first().selectOption("conversation");
  const search = async (page: Page, text: string): Promise<void> => {
    await page.fill(".messaging-history-form input[type=text]", text);
    await page.keyboard.press("Enter");
  };
  const said = async (page: Page): Promise<readonly string[]> =>
    (await page.locator(bubbles).allInnerTexts()).map((text) => text.replace(/\s+/g, " "));

  itOnBoth("shows messages of both sides as bubbles, and new ones when they come", async () => {
    const page = await show();
    await choose(page);
    await notice(page, "Type the whole number").waitFor();
    await search(page, "00999 555 000 001");
    await page.locator(bubbles).nth(1).waitFor();
    const [hers, ours] = await said(page);
    assert.match(hers ?? "", /^The person wrote: Hello, is anybody there\? [\d:., APM]+ SIMULATED$/);
    assert.match(
      ours ?? "",
      /^Sent to the person: Good day\. How can we help\? [\d:., APM]+ SIMULATED · sent/,
    );
    await write("Yes, by SMS too", "sms");
    await page.locator(bubbles, { hasText: "by SMS too" }).waitFor();
    assert.equal(await page.locator(bubbles).count(), 3);
    await search(page, "+999555000009");
    await notice(page, "Nothing was written to +999555000009").waitFor();
    assert.equal(await page.locator(bubbles).count(), 0);
    await search(page, "Ada");
    await notice(page, /number/).waitFor();
  });

  it("leads to the setting without which there is no conversation", async () => {
    const page = await show(false);
    await choose(page);
    await search(page, ADA);
    await notice(page, "Turn on “Keep texts” under “Storage”").waitFor();
    assert.equal(await page.locator(bubbles).count(), 0);
    await page.locator(".messaging-conversation > button").click();
    await bench.editor.opened("#node-config-input-name");
    await bench.editor.closeAccount();
  });

  it("shows no message of a deleted number, and has no serious fault", async () => {
    const page = await show();
    await choose(page);
    await search(page, ADA);
    await page.locator(bubbles).nth(1).waitFor();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
    await page.locator(".messaging-history-form button", { hasText: "Delete this number" }).click();
    await page.click(".red-ui-notification button.primary");
    await notice(page, `Nothing was written to ${ADA}`).waitFor();
    assert.equal(await page.locator(bubbles).count(), 0);
  });
}

onEachEditor("conversation in the sidebar", conversationTests);
