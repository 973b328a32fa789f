// Slow: each test fills a store and deploys it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { readCsv } from "../../support/csv/read-csv";
import { account, inject, node, sender, str } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { seriousFaults } from "../../support/editor/serious-faults";
import type { Flows } from "../../support/node-red/admin-client";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { fillReport } from "../../support/store/fill-report";
import { fillStore } from "../../support/store/fill-store";
import { waitFor } from "../../support/wait-for";

const ADA = "+999555000001";
const TAB = { id: "tab", type: "tab", label: "sidebar" };

function viewTests(bench: EditorBench): void {
  const show = (page: Page, view: string): Promise<unknown> =>
    page.evaluate(`RED.actions.invoke("messaging:show-${view}-tab")`);
  const confirm = (page: Page): Promise<void> => page.click(".red-ui-notification button.primary");

  /** Shows a view of the deployed account, in dark colours and German if it is to be so. */
  async function open(view: string, flows: Flows, isGerman = false): Promise<Page> {
    await bench.deploy([TAB, ...flows]);
    if (isGerman) await bench.editorIn("de", true);
    else await bench.editor.renew();
    await show(bench.editor.page, view);
    return bench.editor.page;
  }

  itOnBoth("shows a conversation, and no message of a deleted number", async () => {
    const storeFolder = await temporaryFolder("conversation");
    const write = (text: string): Promise<unknown> =>
      bench.nodeRed.request("POST", "/messaging-account/kept/simulator/write", {
        ...{ channel: "whatsapp", sender: ADA, text },
      });
    const page = await open("history", [
      account("kept", { keepMessages: "computer", keepTexts: true, storeFolder }),
      node("hook", "messaging-webhook-in", { account: "kept", kind: "inbound", channel: "all", outputs: 2 }),
      sender("talk", "messaging-whatsapp-send", {
        ...{ account: "kept", kind: "text" },
        ...str("recipients", ADA),
        ...str("content", "Good day.\nHow can we help?"),
      }),
      inject("say", "talk"),
    ]);
    await write("Hello, is anybody there?");
    await bench.nodeRed.inject("say");
    await page.locator(".messaging-item > summary", { hasText: "sent" }).click();
    await page.locator(".messaging-details button", { hasText: "Conversation" }).click();
    const bubbles = page.locator(".messaging-bubble");
    await bubbles.filter({ hasText: "How can we help?" }).waitFor();
    await write("Yes");
    await bubbles.filter({ hasText: "Yes" }).waitFor();
    assert.equal(await bubbles.count(), 3);
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
    await show(page, "history");
    await page.getByPlaceholder("number or name").fill(ADA);
    await page.locator("button", { hasText: "Delete this number" }).click();
    await confirm(page);
    await page.getByText("Deleted: messages 1, events 2.").waitFor();
    await show(page, "conversation");
    await page.getByText(`Nothing was written to ${ADA}`).waitFor();
  });

  itOnBoth("saves, discards and cancels messages of the queue", async () => {
    const storeFolder = await temporaryFolder("queue");
    await fillStore(storeFolder, { account: "kept", node: "sender", waiting: 60 });
    const page = await open("queue", [
      account("kept", { keepMessages: "computer", storeFolder }),
      sender("sender", "messaging-sms-send", { name: "Orders", account: "kept" }),
    ]);
    await page.getByText("60 waiting · 3 without a node").waitFor();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
    const job = page.locator(".messaging-job", { hasText: "deleted node" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      job.getByRole("button", { name: "Save as JSON" }).click(),
    ]);
    const saved = JSON.parse(await readFile(await download.path(), "utf8")) as { requests: object[] };
    assert.equal(saved.requests.length, 3);
    await job.getByRole("button", { name: "Discard" }).click();
    await confirm(page);
    await page.getByText("Requests discarded: 3.").waitFor();
    await page.getByRole("button", { name: "Cancel all…" }).click();
    await confirm(page);
    await page.getByText("Requests cancelled: 60.").waitFor();
    await page.locator(".messaging-queue-facts", { hasText: /^empty$/ }).waitFor();
    // A stop lasts longer than the flows.
    await bench.nodeRed.request("POST", "/messaging-account/kept/sending/go-on", {});
  });

  it("adds an opt-out, saves the list, and takes the number off, in German and dark colours", async () => {
    const storeFolder = await temporaryFolder("opt-outs");
    const flows = [account("kept", { keepMessages: "computer", storeFolder, defaultCountry: "CH" })];
    const page = await open("opt-outs", flows, true);
    await page.getByPlaceholder("Telefonnummer").fill("079 000 00 01");
    await page.getByRole("button", { name: "Hinzufügen" }).click();
    await page.locator(".messaging-number", { hasText: "+41790000001" }).waitFor();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".messaging-view-opt-outs button", { hasText: "CSV" }).click(),
    ]);
    const [, row = []] = readCsv(await readFile(await download.path(), "utf8"), ";");
    assert.equal(row[0], "+41 790000001");
    await page.locator(".messaging-opt-out button").click();
    await confirm(page);
    await page.locator(".messaging-opt-out").waitFor({ state: "detached" });
  });

  it("shows the report of a period, and saves its tables, in German and dark colours", async () => {
    const storeFolder = await temporaryFolder("report");
    await fillReport(storeFolder, "kept", "sender");
    const page = await open(
      "report",
      [
        account("kept", { name: "Laden", keepMessages: "computer", storeFolder, timeZone: "Asia/Tokyo" }),
        sender("sender", "messaging-sms-send", { name: "Orders", account: "kept" }),
      ],
      true,
    );
    await page.locator(".messaging-reasons", { hasText: "Sperrliste" }).waitFor();
    const tiles = (await page.locator(".messaging-tiles").innerText()).replace(/\s+/g, " ");
    assert.match(tiles, /Zugestellt 60 85,7 %/);
    for (const each of await page.locator(".messaging-numbers > summary").all()) await each.click();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".messaging-view-report button", { hasText: "CSV" }).click(),
    ]);
    assert.match(
      download.suggestedFilename(),
      /^report-steps-Laden \(Simulator\)-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/,
    );
    const [, ...days] = readCsv(await readFile(await download.path(), "utf8"), ";");
    assert.equal(days.length, 7);
  });

  itOnBoth("acts as the recipient of a simulated message", async () => {
    const page = await open("simulator", [
      account("account", { name: "Practice" }),
      sender("rcs", "messaging-rcs-send", {
        kind: "text",
        ...str("recipients", "+41797654321"),
        ...str("textMessage", "Are you coming?"),
        wires: [["end"], ["end"], ["end"], ["end"]],
      }),
      inject("go", "rcs"),
      node("in", "messaging-webhook-in", {
        kind: "inbound",
        account: "account",
        outputs: 2,
        wires: [["end"], []],
      }),
      node("end", "debug", { active: false }),
    ]);
    await bench.nodeRed.inject("go");
    const message = page.locator(".messaging-simulator-message", { hasText: "Are you coming?" });
    await message.getByRole("button", { name: "Reply as the recipient" }).click();
    await message.getByRole("textbox").fill("Yes");
    const file = { name: "wound.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(3_000_000, "j") };
    await message.locator("input[type=file]").setInputFiles(file);
    await message.getByRole("button", { name: "Remove the picture" }).waitFor();
    await message.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Reply on its way to your webhook-in node.").waitFor();
    const { payload } = await waitFor("the reply", async () => (await bench.nodeRed.nextFrom("in")).msg);
    assert.match(payload.mediaId, /^[\da-f-]{36}$/);
    await page.locator(".messaging-simulator-reply", { hasText: "picture" }).waitFor();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
  });
}

onEachEditor("views of the sidebar", viewTests);
