import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { browserMissing, EditorPage, launchBrowser } from "../support/editor";
import { allExamples } from "../support/examples";
import { type NodeRed, startNodeRed } from "../support/node-red";
import { NODE_RED_VERSIONS, nodeRedProgram } from "../support/node-red-versions";
import { userDirWithPackage } from "../support/packed-package";

const NODES = [
  "sms-send",
  "whatsapp-send",
  "rcs-send",
  "media-transfer",
  "webhook-in",
  "webhook-ack",
] as const;

/** Settings of each node whose every choice is saved, reopened and compared. */
const KINDS: Readonly<
  Partial<Record<(typeof NODES)[number], readonly [select: string, choices: readonly string[]]>>
> = {
  "whatsapp-send": ["kind", ["text", "media", "template", "broadcast"]],
  "rcs-send": ["kind", ["text", "file", "audio", "location", "card", "carousel", "raw"]],
  "media-transfer": ["kind", ["download", "upload", "attachment"]],
  "webhook-in": ["kind", ["inbound", "status"]],
  "webhook-ack": ["answer", ["acknowledge", "redeliver", "error"]],
};

for (const version of NODE_RED_VERSIONS) {
  describe(`dialogs in the editor, Node-RED ${version}`, function () {
    this.timeout(120_000);
    let nodeRed: NodeRed;
    let browser: Browser;
    let editor: EditorPage;

    before(async function () {
      this.timeout(300_000);
      const program = await nodeRedProgram(version);
      const missing = browserMissing() ?? (typeof program === "string" ? program : null);
      if (missing !== null) {
        console.log(`    skipped: ${missing}`);
        this.skip();
      }
      nodeRed = await startNodeRed({ version, userDir: await userDirWithPackage() });
      browser = await launchBrowser();
    });
    beforeEach(async () => {
      await nodeRed.deploy([{ id: "tab", type: "tab", label: "Dialogs" }]);
      editor = await EditorPage.open(browser, nodeRed.url);
    });
    afterEach(async () => {
      const complaints = [...editor.complaints];
      await editor.page.context().close();
      assert.deepEqual(complaints, [], "the page complained");
    });
    after(async () => {
      await browser?.close();
      await nodeRed?.stop();
    });

    for (const type of NODES) {
      it(`${type} keeps what is filled in`, async () => {
        const id = await editor.drag(type);
        const [select, choices] = KINDS[type] ?? [null, [""]];
        await editor.edit(id);
        for (const choice of choices) {
          await editor.page.fill("#node-input-name", `my ${type} ${choice}`);
          if (select !== null) {
            await editor.page.selectOption(`#node-input-${select}`, choice);
          }
          const before = await editor.values();
          assert.ok(Object.keys(before).length >= 2);
          await editor.done();
          await editor.edit(id);
          const after = await editor.values();
          assert.equal(after["node-input-name"], `my ${type} ${choice}`);
          if (select !== null) {
            assert.equal(after[`node-input-${select}`], choice);
          }
          // The number of outputs follows the kind when the dialog is saved.
          const { "node-input-outputs": _before, ...kept } = before;
          const { "node-input-outputs": _after, ...found } = after;
          assert.deepEqual(found, kept);
          const text = await editor.page.innerText("#dialog-form");
          assert.doesNotMatch(text, new RegExp(`${type}\\.|messaging-account[.:]`), "a raw key is shown");
        }
        await editor.done();
      });
    }

    it("webhook-in has a secret from the start, which its address shows after a deploy as well", async () => {
      const id = await editor.drag("webhook-in");
      await editor.deploy();
      await editor.edit(id);
      const address = await editor.page.inputValue("#messaging-webhook-url");
      assert.match(address, new RegExp(`^${nodeRed.url}/messaging/${id}\\?secret=[\\w-]{32}$`));
      const answer = await fetch(address, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      assert.equal(answer.status, 200);
      await editor.page.click("#messaging-webhook-test");
      await editor.page.waitForSelector("#messaging-webhook-result .messaging-good");
      assert.match(await editor.page.innerText("#messaging-webhook-result"), /came through all gates/);
      await editor.page.fill("#node-input-allowedAddresses", "10.0.0.0/33");
      await editor.page.waitForSelector(".messaging-fault");
      assert.match(await editor.page.innerText(".messaging-fault"), /10\.0\.0\.0\/33.*neither an address/);
      await editor.page.fill("#node-input-allowedAddresses", "");
      await editor.page.click("#messaging-webhook-new-secret");
      const renewed = await editor.page.inputValue("#messaging-webhook-url");
      assert.notEqual(renewed, address);
      assert.equal(
        await editor.page.inputValue("#node-input-secondSecret"),
        new URL(address).searchParams.get("secret"),
      );
      await editor.done();
    });

    it("imports every example, and all of it is valid", async () => {
      for (const { flows } of allExamples()) {
        await editor.import(JSON.stringify(flows));
      }
      const invalid = await editor.page.evaluate(
        `(() => { const found = []; RED.nodes.eachNode((n) => { if (n.valid === false) found.push(n.type + " " + n.name + " " + JSON.stringify(n.validationErrors)); }); return found; })()`,
      );
      assert.deepEqual(invalid, []);
    });
  });
}
