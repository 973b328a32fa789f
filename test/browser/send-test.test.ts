import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator/index";
import { EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";

const TO = "+41799556001";

onEachEditor("sending a test from the dialog", (bench) => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator();
  });
  after(() => simulator.close());

  const result = ".messaging-send-test .messaging-result-lines";

  /** Opens the dialog of a node that uses this account, and its panel for tests. */
  async function open(type: string, account: Record<string, unknown>, kind?: string): Promise<void> {
    const { editor, nodeRed } = bench;
    const { page } = editor;
    await nodeRed.deploy([EMPTY_TAB, { id: "account", type: "messaging-account", name: "Shop", ...account }]);
    await editor.reload();
    const id = await editor.drag(type);
    await editor.edit(id);
    await page.selectOption("#node-input-account", "account");
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
    await open("sms-send", { service: "simulator" });
    const { page } = bench.editor;
    await press();
    await page.waitForSelector(`${result} .messaging-result-line-failed`);
    const first = await page.innerText(result);
    await page.fill("#messaging-send-test-to", TO);
    await press();
    await page.waitForFunction(`document.querySelector("${result}").innerText !== ${JSON.stringify(first)}`);
    assert.match(await page.innerText(result), /Text/);
  });

  it("sends the message of the dialog to the simulator, and says that nothing was really sent", async () => {
    await open("sms-send", { service: "simulator" });
    const { editor, simulator: builtIn } = bench;
    await editor.type("messageContent", "str", "Typed just now");
    await editor.page.fill("#messaging-send-test-to", TO);
    await press();
    await editor.page.waitForSelector(`${result} .messaging-result-line-ok`);
    assert.match(await editor.page.innerText(result), /simul/i);
    const [message, ...more] = await builtIn.messages("account");
    assert.equal(more.length, 0);
    assert.equal(message?.content, "Typed just now");
  });

  it("sends to the real service without test mode only after confirmation", async () => {
    await open(
      "rcs-send",
      {
        service: "service",
        serviceAddress: simulator.url,
        legacyAuth: "none",
        applicationId: simulator.credentials.applicationId,
        credentials: {
          clientId: simulator.credentials.clientId,
          clientSecret: simulator.credentials.clientSecret,
        },
      },
      "text",
    );
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
});
