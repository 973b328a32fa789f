import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator/index";
import type { Flows } from "../support/node-red/admin-client";
import { holdAnswer } from "../support/editor/hold-answer";
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
  const sent = () => simulator.main.messages;
  const press = () => bench.editor.page.click(".messaging-send-test button");

  itOnBoth("sends the undeployed message of the dialog to the simulator", async () => {
    await open("messaging-sms-send", "simulated");
    const { editor, simulator: builtIn } = bench;
    await editor.type("messageContent", "str", "Typed just now");
    await editor.page.fill("#messaging-send-test-to", TO);
    await press();
    await editor.page.waitForSelector(`${result} .messaging-result-line-ok`);
    assert.match(await editor.page.innerText(result), /simul/i);
    const [message, ...more] = await builtIn.messages("simulated");
    assert.equal(more.length, 0);
    assert.equal(message?.content, "Typed just now");
  });

  it("sends to the real service only after confirmation, and once", async () => {
    await open("messaging-rcs-send", "real", "text");
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
    const held = await holdAnswer(page, "**/send-test");
    await press();
    await held.answered;
    // What is typed now is for another test: the question is about the one that was begun.
    await page.fill("#messaging-send-test-to", "+41799556002");
    await editor.type("textMessage", "str", "Never asked about");
    await held.release();
    await yes.waitFor();
    assert.match(await page.innerText(".red-ui-notification"), /\+41799556001/);
    // The notice slides out of sight, and its buttons with it.
    await page.evaluate(`(() => {
      const yes = document.querySelector(".red-ui-notification button.primary");
      yes.click();
      yes.click();
    })()`);
    await page.waitForSelector(`${result} .messaging-result-line`);
    await page.waitForFunction(`!document.querySelector("${result} .messaging-result-line-running")`);
    await page.locator(".red-ui-notification").waitFor({ state: "detached" });
    assert.deepEqual(
      sent().map(({ content, recipients }) => [content, recipients]),
      [["Costs money", ["+41799556001"]]],
      await page.innerText(result),
    );
  });

  it("sends nothing when the dialog is closed before the question", async () => {
    await open("messaging-rcs-send", "real", "text");
    const { editor } = bench;
    const before = sent().length;
    await editor.type("textMessage", "str", "Costs money");
    await editor.page.fill("#messaging-send-test-to", TO);
    const held = await holdAnswer(editor.page, "**/send-test");
    await press();
    await held.answered;
    await editor.cancel();
    await held.release();
    assert.equal(await editor.page.locator(".red-ui-notification").count(), 0);
    assert.equal(sent().length, before);
  });
}

const flows = (): Flows => [
  EMPTY_TAB,
  {
    id: "simulated",
    type: "messaging-account",
    name: "Simulated",
    service: "simulator",
    keepMessages: "memory",
  },
  {
    id: "real",
    type: "messaging-account",
    name: "Real",
    service: "service",
    serviceAddress: simulator.url,
    legacyAuth: "none",
    keepMessages: "memory",
    applicationId: simulator.credentials.applicationId,
    credentials: {
      clientId: simulator.credentials.clientId,
      clientSecret: simulator.credentials.clientSecret,
    },
  },
];

onEachEditor("sending a test from the dialog", sendTests, { flows });
