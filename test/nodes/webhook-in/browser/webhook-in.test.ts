// Slow: four deploys start the flows that answer the webhook.
import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../../../support/editor/account-dialog";
import { node } from "../../../support/editor/flow-nodes";
import { EMPTY_TAB, type EditorBench, itOnBoth, onEachEditor } from "../../../support/editor/on-each-editor";
import { waitFor } from "../../../support/wait-for";

/** A webhook for statuses whose output *failed* leads to a node. */
const status = (id: string, failed: string) =>
  node(id, "messaging-webhook-in", {
    account: "account",
    kind: "status",
    channel: "all",
    outputs: 4,
    wires: [[], [failed], [], []],
  });

const FLOWS = [
  EMPTY_TAB,
  { ...NEW_ACCOUNT, id: "account", keepMessages: "memory" },
  { id: "sub", type: "subflow", name: "Texts", in: [], out: [] },
  node("sub-sms", "messaging-sms-send", { z: "sub", account: "account" }),
  status("direct", "sms"),
  status("through", "change"),
  status("linked", "out"),
  status("inside", "instance"),
  status("off", "sms-off"),
  status("round", "round-1"),
  node("sms", "messaging-sms-send", { account: "account", name: "Texts" }),
  node("sms-off", "messaging-sms-send", { account: "account", d: true }),
  node("change", "change", { rules: [], wires: [["sms"]] }),
  node("out", "link out", { mode: "link", links: ["in"] }),
  node("in", "link in", { links: ["out"], wires: [["change"]] }),
  node("instance", "subflow:sub"),
  node("round-1", "change", { rules: [], wires: [["round-2"]] }),
  node("round-2", "change", { rules: [], wires: [["round-1"]] }),
];

const ADDRESS = "#messaging-webhook-url";
const COPIED = "document.addEventListener('copy', () => { window.copied = document.activeElement.value; })";

/** The answer of a webhook. While the flows start, the service is told to come back. */
async function statusOf(address: string, body: object): Promise<number> {
  let status = 503;
  await waitFor("an answer of the webhook", async () => {
    const headers = { "content-type": "application/json" };
    ({ status } = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) }));
    return status !== 503 && status !== 404;
  });
  return status;
}

function webhookTests(bench: EditorBench): void {
  const url = (): Promise<string> => bench.editor.page.inputValue(ADDRESS);

  itOnBoth("has a random secret, which the editor gets only on request", async () => {
    const { editor, nodeRed } = bench;
    const { page } = editor;
    const id = await editor.add("messaging-webhook-in");
    await editor.show(id);
    const address = await url();
    assert.match(address, new RegExp(`^${nodeRed.url}/messaging/${id}\\?secret=[\\w-]{32}$`));
    await editor.done();
    await editor.deploy();
    assert.equal(await statusOf(address, {}), 200);
    await editor.show(id);
    const secret = new URL(address).searchParams.get("secret") ?? "";
    assert.match(await url(), new RegExp(`/messaging/${id}\\?secret=•+$`));
    const known = await page.evaluate(`JSON.stringify(RED.nodes.node("${id}").credentials)`);
    assert.equal(String(known).includes(secret), false);
    await page.evaluate(COPIED);
    await page.click("#messaging-webhook-copy");
    await page.waitForFunction(`window.copied === ${JSON.stringify(address)}`);
    assert.equal(await url(), address);
    await editor.done();
  });

  it("passes the self-test, and takes the old and the new secret during a change", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("messaging-webhook-in");
    await editor.show(id);
    const address = await url();
    await editor.done();
    await editor.deploy();
    await editor.show(id);
    await page.click("#messaging-webhook-test");
    await page.locator("#messaging-webhook-result .messaging-good", { hasText: "all checks" }).waitFor();
    await page.click("#messaging-webhook-new-secret");
    await page.waitForFunction(`/secret=[\\w-]{32}$/.test($("${ADDRESS}").val())`);
    const renewed = await url();
    assert.notEqual(renewed, address);
    await editor.done();
    await editor.deploy();
    for (const each of [address, renewed]) assert.equal(await statusOf(each, { each }), 200);
    assert.equal(await statusOf(`${renewed}x`, {}), 401);
  });

  it("copies a secret for a header, and warns of an address without TLS", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("messaging-webhook-in");
    await editor.show(id);
    const secret = new URL(await url()).searchParams.get("secret");
    await page.selectOption("#node-input-auth", "header");
    await page.evaluate(COPIED);
    await page.click("#messaging-webhook-copy-secret");
    await page.waitForFunction(`window.copied === ${JSON.stringify(secret)}`);
    // The simulator calls without TLS on purpose.
    await page.selectOption("#node-input-account", "_ADD_");
    const warning = page.locator("#messaging-webhook-plain", { hasText: "unencrypted" });
    await page.fill("#node-input-publicAddress", "http://hooks.example.com");
    await warning.waitFor();
    await page.fill("#node-input-publicAddress", "https://hooks.example.com");
    await warning.waitFor({ state: "hidden" });
    await editor.done();
  });

  it("asks for a channel when failed statuses lead to a node that sends", async () => {
    const { editor } = bench;
    const { page } = editor;
    const loop = "#messaging-webhook-loop";
    for (const id of ["direct", "through", "linked", "inside"]) {
      await editor.show(id);
      await page.locator(loop, { hasText: "Choose the channel" }).waitFor();
      await page.selectOption("#node-input-channel", "whatsapp");
      await page.waitForSelector(loop, { state: "hidden" });
      await page.selectOption("#node-input-channel", "sms");
      await page.locator(loop, { hasText: "sends by the channel chosen here" }).waitFor();
      await editor.cancel();
    }
    for (const id of ["off", "round"]) {
      await editor.show(id);
      assert.equal(await page.isVisible(loop), false, id);
      await editor.cancel();
    }
  });

  it("recognises stop words in a new node, until they are switched off", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("messaging-webhook-in");
    const summary = page.locator("#messaging-webhook-opt-outs .messaging-summary");
    await editor.show(id);
    assert.equal(await page.isChecked("#node-input-optOutWords"), true);
    assert.match(await page.inputValue("#node-input-stopWords"), /STOP/i);
    assert.equal(await summary.textContent(), "stop words stop all messages");
    await page.selectOption("#node-input-optOutScope", "advertisement");
    assert.equal(await summary.textContent(), "stop words stop advertisement");
    await page.fill("#node-input-stopWords", "");
    await editor.fault("stopWords").waitFor();
    await page.uncheck("#node-input-optOutWords");
    await editor.fault("stopWords").waitFor({ state: "detached" });
    await editor.done();
    const saved = { optOutWords: false, optOutScope: "advertisement" };
    assert.deepEqual(await editor.held(id, Object.keys(saved)), saved);
  });
}

onEachEditor("webhook-in dialog", webhookTests, { flows: FLOWS });
