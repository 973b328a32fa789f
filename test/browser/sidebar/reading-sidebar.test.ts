import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { account, node, sender, str } from "../../support/editor/flow-nodes";
import { browserMissing, EditorPage, launchBrowser } from "../../support/editor/editor";
import { type NodeRed, startNodeRed } from "../../support/node-red/node-red";
import { TESTED_VERSIONS } from "../../support/node-red/node-red-versions";
import { userDirWithPackage } from "../../support/node-red/packed-package";
import { requireNodeRed } from "../../support/node-red/require-node-red";

/** What the editor asks for before it shows flows; the permission to read the history is not among them. */
const EDITOR_READS = ["flows.read", "settings.read", "nodes.read", "plugins.read", "status.read"];
const NUMBER = "41791234567";
const FLOWS = [
  { id: "tab", type: "tab", label: "Orders" },
  account("account", { name: "A shop" }),
  node("begin", "inject", { once: true, onceDelay: 0.1, props: [], wires: [["sender"]] }),
  sender("sender", "sms-send", {
    name: "Orders",
    ...str("recipientAddressList", NUMBER),
    ...str("messageContent", "Your code is open-sesame"),
  }),
];

for (const version of TESTED_VERSIONS) {
  describe(`sidebar of a user with flows.read alone, Node-RED ${version}`, () => {
    let nodeRed: NodeRed | undefined;
    let browser: Browser | undefined;

    before(async function () {
      const missing = browserMissing();
      if (missing !== null) {
        console.log(`    skipped: ${missing}`);
        this.skip();
      }
      await requireNodeRed(this, version);
      nodeRed = await startNodeRed({
        version,
        userDir: await userDirWithPackage(),
        flows: FLOWS,
        settings: { adminAuth: { type: "credentials", users: [], default: { permissions: EDITOR_READS } } },
      });
      browser = await launchBrowser();
    });
    after(async () => {
      await browser?.close();
      await nodeRed?.stop();
    });

    it("shows masks, finds the number by its end, and complains of nothing", async () => {
      assert.ok(nodeRed && browser);
      const { page, complaints } = await EditorPage.open(browser, nodeRed.url, { hurried: true });
      complaints.length = 0;
      await page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
      const row = page.locator(".messaging-activity-entry", { hasText: "+4179…567" });
      await row.click();
      const details = page.locator(".messaging-activity-details");
      await details.getByText("2000").waitFor();
      const input = page.locator(".messaging-activity-search input");
      for (const [text, seen] of [
        ["98765", false],
        ["4567", true],
      ] as const) {
        await input.fill(text);
        await input.press("End");
        await row.waitFor({ state: seen ? "attached" : "detached" });
      }
      for (const view of ["history", "opt-outs"]) {
        await page.evaluate(`RED.actions.invoke("messaging:show-${view}-tab")`);
        await page.locator(".messaging-sidebar", { hasText: "messaging-" }).waitFor();
        await page
          .getByText(/[Yy]ou need|permission|memory/)
          .filter({ visible: true })
          .first()
          .waitFor();
      }
      const shown = await page.locator(".messaging-sidebar").textContent();
      assert.ok(shown !== null && !shown.includes(NUMBER) && !shown.includes("sesame"), shown ?? "");
      assert.deepEqual(complaints, []);
    });
  });
}
