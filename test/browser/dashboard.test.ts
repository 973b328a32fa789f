import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { browserMissing, EditorPage, launchBrowser } from "../support/editor/editor";
import { Example, GermanExample } from "../support/examples";
import { BuiltInSimulatorControl } from "../support/node-red/built-in-simulator";
import { addDashboard, DASHBOARD_MANIFEST, dashboardMissing } from "../support/node-red/dashboard";
import { type NodeRed, startNodeRed } from "../support/node-red/node-red";
import { TESTED_VERSIONS } from "../support/node-red/node-red-versions";
import { userDirWithPackage } from "../support/node-red/packed-package";
import { requireNodeRed } from "../support/node-red/require-node-red";
import { waitFor } from "../support/wait-for";

/** Numbers whose messages the simulator reports as expired and as rejected. */
const FAILING = ["999030101", "999030103"];

const ENGLISH = new Example("27 - Report on a dashboard");
const LANGUAGES = [
  {
    example: ENGLISH,
    title: "What became of them",
    again: "Send again to these people",
    said: "Sending again, people: 2",
  },
  {
    example: new GermanExample(ENGLISH),
    title: "Was aus ihnen wurde",
    again: "Diesen Personen erneut senden",
    said: "Wird erneut gesendet, Personen: 2",
  },
] as const;

/** Runs in the page: whether the chart has bars in the colours of what arrived, and of what did not. */
const HAS_BARS = `(() => {
  const has = ([red, green, blue]) => [...document.querySelectorAll("canvas")].some((canvas) => {
    if (canvas.width === 0 || canvas.height === 0) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) return true;
    }
    return false;
  });
  return has([44, 160, 44]) && has([214, 39, 40]);
})()`;

for (const version of TESTED_VERSIONS) {
  describe(`a report on a dashboard, Node-RED ${version}`, () => {
    let nodeRed: NodeRed;
    let simulator: BuiltInSimulatorControl;
    let browser: Browser;
    let page: Page;

    before(async function () {
      await requireNodeRed(this, version);
      const missing = browserMissing() ?? (await dashboardMissing());
      if (missing !== null) {
        console.log(`    skipped: ${missing}`);
        this.skip();
      }
      const userDir = await userDirWithPackage();
      await addDashboard(userDir);
      simulator = await BuiltInSimulatorControl.prepare();
      nodeRed = await startNodeRed({ version, userDir, env: simulator.env, settings: { lang: "en-US" } });
      browser = await launchBrowser();
      page = await browser.newPage();
    });
    after(async () => {
      await browser?.close();
      await nodeRed?.stop();
    });

    it("is valid in the editor, and names the package that it needs", async () => {
      const editor = await EditorPage.open(browser, nodeRed.url);
      for (const { example } of LANGUAGES)
        await editor.page.evaluate(`RED.nodes.import(${JSON.stringify(example.flows)})`);
      assert.deepEqual(await editor.invalid(), []);
      await editor.page.context().close();
      const { dependencies } = JSON.parse(await readFile(DASHBOARD_MANIFEST, "utf8"));
      const needed = ENGLISH.flows.find(({ type }) => type === "global-config")?.modules;
      assert.deepEqual(needed, dependencies);
    });

    for (const { example, title, again, said } of LANGUAGES) {
      it(`shows what became of the messages, and sends again to those who failed, once (${again})`, async () => {
        const account = example.id("messaging-account");
        await nodeRed.deploy(example.flows.filter(({ type }) => type !== "global-config"));
        /** How often each of those who fail was sent to. */
        const sent = async (): Promise<readonly number[]> => {
          const taken = (await simulator.messages(account)).flatMap(({ recipients }) => recipients);
          return FAILING.map((number) => taken.filter((each) => each.replace("+", "") === number).length);
        };
        const rows = () => page.locator("tbody tr", { hasText: /\+9990301/ });

        await page.goto(`${nodeRed.url}/dashboard/messages`);
        await page.getByText(title).waitFor();
        assert.equal(await rows().count(), 0);
        await nodeRed.inject(example.id("Send to four people"));
        await rows().nth(1).waitFor();
        const table = await page.locator("tbody").innerText();
        assert.deepEqual(table.match(/\+\d+/g)?.sort(), ["+999030101", "+999030103"]);
        assert.match(table, /It was not delivered in time/);
        await page.waitForFunction(HAS_BARS);
        assert.deepEqual(await sent(), [1, 1]);

        const button = page.getByRole("button", { name: again });
        await button.dblclick();
        await page.getByText(said).first().waitFor();
        await waitFor("messages to those who failed", async () => (await sent()).every((count) => count > 1));
        // They have failed once more, and are in the list again.
        await waitFor("the reports of these messages", async () => {
          const told = await simulator.deliveries(account);
          return told.length > 0 && told.every(({ state }) => state === "acknowledged");
        });
        assert.deepEqual(await sent(), [2, 2], "pressed twice, sent once");
        await rows().nth(1).waitFor();
        assert.equal((await simulator.messages(account)).length, 1 + 2, "and to nobody else");
        assert.doesNotMatch(nodeRed.logs(), /\[error\]/);
      });
    }
  });
}
