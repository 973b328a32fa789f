import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator/index";
import type { Flows } from "../support/node-red/admin-client";
import { type EditorBench, EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const TO = "+41799556001";

let simulator: Simulator;

function sendTests(bench: EditorBench): void {
  before(async () => {
    simulator = await startSimulator();
  });
  // Without a browser it was never started.
  after(() => simulator?.close());

  const result = ".messaging-send-test .messaging-result-lines";

  /** Opens the dialog of a node that uses this account, and its panel for tests. */
  async function open(type: string, account: "simulated" | "real", kind?: string): Promise<void> {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add(type);
    await editor.show(id);
    await page.selectOption("#node-input-account", account);
    if (kind !== undefined) {
      await page.selectOption("#node-input-kind", kind);
    }
    await page
      .locator("details", { has: page.locator(".messaging-send-test") })
      .locator("summary")
      .click();
    await page.waitForSelector("#messaging-send-test-to", { state: "visible" });
  }
  const press = () => bench.editor.page.click(".messaging-send-test button");

  it("asks for missing values before it sends", async () => {
    await open("sms-send", "simulated");
    const { page } = bench.editor;
    await press();
    await page.waitForSelector(`${result} .messaging-result-line-failed`);
    const first = await page.innerText(result);
    await page.fill("#messaging-send-test-to", TO);
    await press();
    await page.waitForFunction(`document.querySelector("${result}").innerText !== ${JSON.stringify(first)}`);
    assert.match(await page.innerText(result), /Text/);
  });

  itOnBoth(
    "sends the message of the dialog to the simulator, and says that nothing was really sent",
    async () => {
      await open("sms-send", "simulated");
      const { editor, simulator: builtIn } = bench;
      await editor.type("messageContent", "str", "Typed just now");
      await editor.page.fill("#messaging-send-test-to", TO);
      await press();
      await editor.page.waitForSelector(`${result} .messaging-result-line-ok`);
      assert.match(await editor.page.innerText(result), /simul/i);
      const [message, ...more] = await builtIn.messages("simulated");
      assert.equal(more.length, 0);
      assert.equal(message?.content, "Typed just now");
    },
  );

  it("sends to the real service without test mode only after confirmation", async () => {
    await open("rcs-send", "real", "text");
    const { editor } = bench;
    const { page } = editor;
    await editor.type("textMessage", "str", "Costs money");
    await page.fill("#messaging-send-test-to", TO);
    await press();
    const yes = page.locator(".red-ui-notification button.primary:visible");
    await yes.waitFor();
    assert.match(await page.innerText(".red-ui-notification"), /cost/i);
    assert.equal(simulator.main.messages.length, 0);
    await page.locator(".red-ui-notification button:not(.primary)").first().click();
    await yes.waitFor({ state: "hidden" });
    assert.equal(simulator.main.messages.length, 0);
    await press();
    await yes.last().click();
    await page.waitForSelector(`${result} .messaging-result-line`);
    await page.waitForFunction(`!document.querySelector("${result} .messaging-result-line-running")`);
    assert.equal(simulator.main.messages.length, 1, await page.innerText(result));
  });
}

const flows = (): Flows => [
  EMPTY_TAB,
  { id: "simulated", type: "messaging-account", name: "Simulated", service: "simulator" },
  {
    id: "real",
    type: "messaging-account",
    name: "Real",
    service: "service",
    serviceAddress: simulator.url,
    legacyAuth: "none",
    applicationId: simulator.credentials.applicationId,
    credentials: {
      clientId: simulator.credentials.clientId,
      clientSecret: simulator.credentials.clientSecret,
    },
  },
];

onEachEditor("sending a test from the dialog", sendTests, { flows });
