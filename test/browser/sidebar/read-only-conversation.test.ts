import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { READ_CONVERSATIONS } from "../../../lib/shared/history/conversation-message";
import { READ_HISTORY, WRITE_QUEUE } from "../../../lib/shared/history/history";
import { account, node, sender, str } from "../../support/editor/flow-nodes";
import { browserMissing, EditorPage, launchBrowser } from "../../support/editor/editor";
import { type NodeRed, startNodeRed } from "../../support/node-red/node-red";
import { TESTED_VERSIONS } from "../../support/node-red/node-red-versions";
import { temporaryFolder, userDirWithPackage } from "../../support/node-red/packed-package";
import { requireNodeRed } from "../../support/node-red/require-node-red";

const EDITOR_READS = ["flows.read", "settings.read", "nodes.read", "plugins.read", "status.read"];
const ADA = "+999555000001";

for (const version of TESTED_VERSIONS) {
  describe(`conversation of a user who may read it and not send, Node-RED ${version}`, () => {
    let nodeRed: NodeRed | undefined;
    let browser: Browser | undefined;

    before(async function () {
      const missing = browserMissing();
      if (missing !== null) {
        console.log(`    skipped: ${missing}`);
        this.skip();
      }
      await requireNodeRed(this, version);
      const storeFolder = await temporaryFolder("read-only");
      const permissions = [...EDITOR_READS, READ_HISTORY, READ_CONVERSATIONS];
      nodeRed = await startNodeRed({
        version,
        userDir: await userDirWithPackage(),
        flows: [
          { id: "tab", type: "tab", label: "Orders" },
          account("account", { name: "A shop", keepMessages: "computer", keepTexts: true, storeFolder }),
          node("begin", "inject", { once: true, onceDelay: 0.1, props: [], wires: [["sender"]] }),
          sender("sender", "sms-send", {
            ...str("recipientAddressList", ADA),
            ...str("messageContent", "Your lamp leaves today"),
          }),
        ],
        settings: { adminAuth: { type: "credentials", users: [], default: { permissions } } },
      });
      browser = await launchBrowser();
    });
    after(async () => {
      await browser?.close();
      await nodeRed?.stop();
    });

    it("shows the messages and no form, asks for none, and is refused by each of its routes", async () => {
      assert.ok(nodeRed && browser);
      const { page, complaints } = await EditorPage.open(browser, nodeRed.url, { hurried: true });
      complaints.length = 0;
      const asked: string[] = [];
      page.on("request", (request) => void asked.push(request.url()));
      await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
      await page.locator(".messaging-history select").first().selectOption("account");
      await page.locator(".messaging-history-head").first().waitFor();
      await page.locator(".messaging-history-form select").first().selectOption("conversation");
      await page.fill(".messaging-history-form input[type=text]", ADA);
      await page.keyboard.press("Enter");
      await page.locator(".messaging-conversation-bubble", { hasText: "Your lamp leaves today" }).waitFor();
      assert.equal(await page.locator(".messaging-conversation-reply").isVisible(), false);
      assert.deepEqual(
        asked.filter((url) => /repl/.test(url)),
        [],
      );
      assert.deepEqual(complaints, []);
      const { url } = nodeRed;
      for (const action of ["reply-nodes", "plan-reply", "reply", "reply-state"]) {
        const answer = await fetch(`${url}/messaging-account/account/history/${action}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ number: ADA }),
        });
        assert.equal(answer.status, 401, `${action} without ${WRITE_QUEUE}`);
      }
    });
  });
}
