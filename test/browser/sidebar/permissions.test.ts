// Slow: each test starts a Node-RED with permissions of its own.
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { READ_CONVERSATIONS } from "../../../lib/shared/history/conversation-message";
import { READ_HISTORY } from "../../../lib/shared/history/history";
import { account, node, sender, str } from "../../support/editor/flow-nodes";
import { browserMissing, EditorPage, launchBrowser } from "../../support/editor/editor";
import { type NodeRed, startNodeRed } from "../../support/node-red/node-red";
import { temporaryFolder, userDirWithPackage } from "../../support/node-red/packed-package";
import { requireNodeRed } from "../../support/node-red/require-node-red";

/** What the editor needs before it shows flows. */
const EDITOR_READS = ["flows.read", "settings.read", "nodes.read", "plugins.read", "status.read"];
const NUMBER = "+41791234567";
const TEXT = "Your code is open-sesame";

describe("sidebar of a user with few permissions", () => {
  let nodeRed: NodeRed | undefined;
  let browser: Browser | undefined;

  before(async function () {
    const missing = browserMissing();
    if (missing !== null) {
      console.log(`    skipped: ${missing}`);
      this.skip();
    }
    await requireNodeRed(this, 4);
    browser = await launchBrowser();
  });
  afterEach(() => nodeRed?.stop());
  after(() => browser?.close());

  /** Opens the editor as a user with some more permissions, after a message was sent. */
  async function openAs(...more: readonly string[]): Promise<EditorPage> {
    assert.ok(browser);
    const storeFolder = await temporaryFolder("permissions");
    const permissions = [...EDITOR_READS, ...more];
    nodeRed = await startNodeRed({
      version: 4,
      userDir: await userDirWithPackage(),
      flows: [
        { id: "tab", type: "tab", label: "Orders" },
        account("account", { name: "A shop", keepMessages: "computer", keepTexts: true, storeFolder }),
        node("begin", "inject", { once: true, onceDelay: 0.1, props: [], wires: [["sender"]] }),
        sender("sender", "messaging-sms-send", {
          name: "Orders",
          ...str("recipientAddressList", NUMBER),
          ...str("messageContent", TEXT),
        }),
      ],
      settings: { adminAuth: { type: "credentials", users: [], default: { permissions } } },
    });
    const editor = await EditorPage.open(browser, nodeRed.url, { hurried: true });
    editor.complaints.length = 0;
    return editor;
  }

  it("shows neither numbers nor texts to a user who may only read flows", async () => {
    const { page, complaints } = await openAs();
    for (const view of ["history", "conversation", "opt-outs", "report"]) {
      await page.evaluate(`RED.actions.invoke("messaging:show-${view}-tab")`);
      await page
        .locator(`.messaging-view-${view}`)
        .getByText(/You need the permission/)
        .waitFor();
    }
    for (const view of ["queue", "simulator"]) {
      await page.evaluate(`RED.actions.invoke("messaging:show-${view}-tab")`);
      await page
        .locator(`.messaging-view-${view}`)
        .getByText(/empty|text hidden/)
        .waitFor();
    }
    const shown = (await page.locator(".messaging-sidebar").textContent()) ?? "";
    assert.ok(!shown.includes("1234567") && !shown.includes("sesame"), shown);
    assert.deepEqual(complaints, []);
  });

  it("shows a conversation without actions to a user who may only read it", async () => {
    const { page, complaints } = await openAs(READ_HISTORY, READ_CONVERSATIONS);
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await page.locator(".messaging-item > summary").first().click();
    assert.equal(await page.locator("button", { hasText: "Send again" }).isDisabled(), true);
    assert.equal(await page.locator("button", { hasText: "Stop all sending" }).isDisabled(), true);
    await page.locator(".messaging-details button", { hasText: "Conversation" }).click();
    await page.locator(".messaging-bubble", { hasText: TEXT }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
