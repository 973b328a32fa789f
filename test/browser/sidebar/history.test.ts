// Slow: each test fills a store, and the sidebar asks for results once a second or less often.
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import { EXPORT_COLUMNS } from "../../../lib/shared/history/history";
import { spacedNumber } from "../../../lib/shared/recipients/spaced-number";
import { readCsv } from "../../support/csv/read-csv";
import { account, inject, sender, str } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import type { Flows } from "../../support/node-red/admin-client";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { fillStore, PEOPLE } from "../../support/store/fill-store";
import { seriousFaults } from "../../support/editor/serious-faults";

const WAITING = 60;
const NEW_PERSON = "41791119999";

const flowsOf = (storeFolder: string): Flows => [
  { id: "tab", type: "tab", label: "history" },
  account("kept", { name: "A shop", keepMessages: "computer", keepTexts: true, storeFolder }),
  account("short"),
  sender("sender", "messaging-sms-send", {
    name: "Orders",
    account: "kept",
    ...str("recipientAddressList", NEW_PERSON),
  }),
  inject("begin", "sender"),
  // The simulator refuses the sign-in for this number.
  sender("refused", "messaging-sms-send", { account: "kept", ...str("recipientAddressList", "+999004001") }),
  inject("begin-refused", "refused"),
];

function historyTests(bench: EditorBench): void {
  const heads = ".messaging-history-head";
  const said = ".messaging-history-said";

  let former: string | undefined;

  /** Shows the history of an account that a killed Node-RED has left. Nothing waits where the account of the test before was. */
  async function show(): Promise<Page> {
    const folder = await temporaryFolder("history");
    await fillStore(folder, { account: "kept", node: "sender", waiting: WAITING });
    await bench.deploy(flowsOf(folder));
    // Its store may still be closing.
    if (former !== undefined) await rm(former, { recursive: true, maxRetries: 10 });
    former = folder;
    await bench.editor.renew();
    const { page } = bench.editor;
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await page.locator(".messaging-history select").first().selectOption("kept");
    await page.locator(heads).first().waitFor();
    return page;
  }
  const search = async (page: Page, text: string): Promise<void> => {
    await page.fill(".messaging-history-form input[type=text]", text);
    await page.keyboard.press("Enter");
  };
  const form = (page: Page, hasText: string) => page.locator(".messaging-history-form button", { hasText });
  const confirm = (page: Page): Promise<void> => page.click(".red-ui-notification button.primary");
  const sending = (page: Page, hasText: string | RegExp) =>
    page.locator(".messaging-history-sending", { hasText });
  const goOn = async (page: Page): Promise<void> => {
    await page.locator(".messaging-history-go-on").click();
    await confirm(page);
    await sending(page, "This account sends.").waitFor();
  };
  const summary = (page: Page, hasText: string | RegExp) =>
    page.locator(".messaging-history-queue .messaging-part-summary", { hasText });
  const openQueue = (page: Page): Promise<void> => page.click(".messaging-history-queue [role=button]");

  // A stop lasts longer than the flows.
  const goOnSending = (): Promise<unknown> =>
    bench.nodeRed.request("POST", "/messaging-account/kept/sending/go-on", {});
  afterEach(goOnSending);

  itOnBoth("finds a message by number or name, and shows its outcome and steps", async () => {
    const page = await show();
    await search(page, "0041 79 111 00 01");
    await page.locator(heads, { hasText: PEOPLE.delivered }).waitFor();
    assert.equal(await page.locator(heads).count(), 1);
    const head = page.locator(heads);
    const told = /\+41791110001[\s\S]*sent\s*· delivered\s*· replied[\s\S]*Orders/;
    assert.match(await head.innerText(), told);
    for (const typed of ["079 111 00 01", "10001"]) {
      await search(page, PEOPLE.refused);
      await page.locator(heads, { hasText: PEOPLE.refused }).waitFor();
      assert.match(await head.innerText(), /rejected\s*· on the blacklist/);
      await search(page, typed);
      await page.locator(heads, { hasText: PEOPLE.delivered }).waitFor();
      assert.equal(await head.count(), 1, typed);
    }
    await head.focus();
    await page.keyboard.press("Enter");
    const details = page.locator(".messaging-history .messaging-activity-details:has(dl)");
    await details.waitFor();
    assert.equal(await head.getAttribute("aria-expanded"), "true");
    const steps = (await details.locator("li").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    assert.deepEqual(
      steps.map((text) => text.replace(/^[\d:., /APM]+ /, "")),
      [
        "The node took the message.",
        "It went out to the service.",
        "The service accepted it. The service accepted the request and sent it on. (2000 OK)",
        "It was delivered.",
        `+${PEOPLE.delivered} replied.`,
      ],
    );
    assert.match(await details.innerText(), /order-delivered[\s\S]*transfer-3/);
    await page.keyboard.press(" ");
    await details.waitFor({ state: "detached" });
    await search(page, "JÖRG M");
    await page.locator(heads, { hasText: PEOPLE.failed }).waitFor();
    assert.match(await head.innerText(), /Jörg Müller, \+41791110004 \(row 7\)[\s\S]*not delivered/);
  });

  it("shows new results, and leaves what is read, unfolded and typed as it is", async () => {
    const page = await show();
    await page.evaluate(`document.querySelectorAll("${heads}")[20].id = "read"`);
    const same = page.locator("#read");
    await same.click();
    await page.locator(".messaging-history .messaging-activity-details:has(dl)").waitFor();
    await page.locator(".messaging-history-form input[type=text]").fill("079");
    await same.focus();
    await goOnSending();
    await same.filter({ hasText: "sent" }).waitFor();
    await page
      .locator(".messaging-history .messaging-activity-details:has(dl)", { hasText: "2000" })
      .waitFor();
    await bench.nodeRed.inject("begin");
    await page.locator(heads).first().filter({ hasText: NEW_PERSON }).filter({ hasText: "sent" }).waitFor();
    assert.equal(await page.locator(heads, { hasText: NEW_PERSON }).count(), 1);
    assert.equal(await same.getAttribute("aria-expanded"), "true");
    assert.equal(await page.evaluate("document.activeElement.id"), "read");
    assert.equal(await page.locator(".messaging-history-form input[type=text]").inputValue(), "079");
  });

  it("pages, narrows by outcome, and saves the found messages as a file", async () => {
    const page = await show();
    assert.equal(await page.locator(heads).count(), 50);
    await page.click(".messaging-history-results .messaging-view-more button");
    await page.waitForFunction(`document.querySelectorAll("${heads}").length > ${WAITING}`);
    assert.equal(
      await page.locator(".messaging-history-results .messaging-view-more button").isVisible(),
      false,
    );
    await page.locator(".messaging-history-form select").nth(1).selectOption("rejected");
    await page.waitForFunction(`document.querySelectorAll("${heads}").length === 1`);
    assert.match(await page.locator(heads).innerText(), new RegExp(PEOPLE.refused));
    const [download] = await Promise.all([page.waitForEvent("download"), form(page, "CSV").click()]);
    assert.equal(download.suggestedFilename(), "messages.csv");
    const [, line = [], ...rest] = readCsv(await readFile(await download.path(), "utf8"));
    assert.deepEqual(line.slice(1, 6), [spacedNumber(PEOPLE.refused), "", "", "SMS", "rejected"]);
    assert.deepEqual(rest, []);
    await page.locator(".messaging-history-form select", { hasText: "commas" }).selectOption("programs");
    const [other] = await Promise.all([page.waitForEvent("download"), form(page, "CSV").click()]);
    const [names = [], values = []] = readCsv(await readFile(await other.path(), "utf8"));
    assert.deepEqual(names, EXPORT_COLUMNS);
    assert.deepEqual(values.slice(1, 6), [`+${PEOPLE.refused}`, "", "", "SMS", "rejected"]);
  });

  itOnBoth("shows how long an account in memory keeps its messages", async () => {
    const page = await show();
    const notice = page.locator(".messaging-history-notice", { hasText: "in memory only" });
    assert.equal(await notice.isVisible(), false);
    const accounts = page.locator(".messaging-history select").first();
    await accounts.selectOption("short");
    await notice.waitFor();
    await accounts.selectOption("kept");
    await notice.waitFor({ state: "hidden" });
  });

  itOnBoth("sends again to those who failed after a question, and only once", async () => {
    const page = await show();
    await search(page, PEOPLE.refused);
    await page.locator(heads).first().click();
    await page.locator(".messaging-history button", { hasText: "Send this message again" }).click();
    const asked = page.locator(".red-ui-notification", { hasText: "surely did not reach" });
    assert.match(
      (await asked.textContent()) ?? "",
      /^The message surely did not reach 1 person\. Send it to them again\? Billed messages: at most 1\./,
    );
    await confirm(page);
    await page.locator(".messaging-history-notice", { hasText: "1 message is in the queue again" }).waitFor();
    await page
      .locator(heads, { hasText: "waiting" })
      .or(page.locator(heads, { hasText: "sent" }))
      .first()
      .waitFor();
    await form(page, "Send again to those who failed").click();
    await page
      .locator(".messaging-history-notice", {
        hasText:
          /^Nobody of this search can be sent to again\. Left out: 1 with another message of the account since, which has reached or may reach them\.$/,
      })
      .waitFor();
  });

  it("deletes a number after a question, and counts what was deleted", async () => {
    const page = await show();
    await search(page, PEOPLE.delivered);
    await form(page, "Delete this number…").click();
    const question = page.locator(".red-ui-notification", { hasText: PEOPLE.delivered });
    await question.locator("button", { hasText: "Leave it as it is" }).click();
    await question.waitFor({ state: "detached" });
    await page.waitForFunction(`document.querySelectorAll("${heads}").length === 1`);
    await form(page, "Delete this number…").click();
    await confirm(page);
    await page.locator(".messaging-history-notice", { hasText: "messages 1, events 2" }).waitFor();
    await page.waitForFunction(`document.querySelectorAll("${heads}").length === 0`);
  });

  it("stops all sending, and continues only after a question", async () => {
    const page = await show();
    await sending(page, /All sending is stopped since[\s\S]*Waiting requests: 60/).waitFor();
    await page.locator(".messaging-history-go-on").click();
    await page.locator(".red-ui-notification", { hasText: `Waiting requests: ${WAITING}` }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.evaluate(`(() => {
      const [leave, yes] = document.querySelectorAll(".red-ui-notification button");
      leave.click();
      yes.click();
    })()`);
    await page.locator(".red-ui-notification").waitFor({ state: "detached" });
    await page.waitForResponse("**/sending/look");
    assert.deepEqual(
      asked.filter((url) => url.endsWith("/sending/go-on")),
      [],
    );
    await sending(page, /stopped since[\s\S]*Waiting requests: 60/).waitFor();
    await goOn(page);
    await page.locator(".messaging-history-stop").click();
    await sending(page, /All sending is stopped since/).waitFor();
  });

  it("shows why the account is refused, and tries it at once after Resume", async () => {
    const page = await show();
    await goOn(page);
    const resume = page.locator(".messaging-history-resume");
    await resume.waitFor({ state: "hidden" });
    await bench.nodeRed.inject("begin-refused");
    await sending(page, /refuses the sign-in for SMS.*wrong credentials/).waitFor();
    const tried = page.waitForResponse("**/sending/resume");
    await resume.click();
    assert.equal((await tried).status(), 200);
    await sending(page, /Waiting requests: 1\b/).waitFor();
  });

  it("pauses, resumes and cancels a waiting message", async () => {
    const page = await show();
    await openQueue(page);
    const job = page.locator(".messaging-history-job", { hasText: "Orders" });
    await job.locator("[aria-label='Pause this message']").click();
    await page.locator(said, { hasText: `Requests paused: ${WAITING}` }).waitFor();
    await job.locator("[aria-label='Resume this message']").click();
    await page.locator(said, { hasText: `Requests resumed: ${WAITING}` }).waitFor();
    await job.locator("[aria-label^='Cancel']").click();
    await confirm(page);
    await page.locator(said, { hasText: `Requests cancelled: ${WAITING}` }).waitFor();
    await summary(page, /^3 without a node$/).waitFor();
    await search(page, PEOPLE.waiting);
    await page.locator(heads, { hasText: "try again" }).first().waitFor();
  });

  it("saves and discards a message whose node is deleted", async () => {
    const page = await show();
    await summary(page, `${WAITING} waiting · 3 without a node`).waitFor();
    await openQueue(page);
    await page.locator(".messaging-history-job", { hasText: `0 of ${WAITING}` }).waitFor();
    const job = page.locator(".messaging-history-job", { hasText: "deleted node" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      job.locator("[aria-label='Save as JSON']").click(),
    ]);
    const saved = JSON.parse(await readFile(await download.path(), "utf8")) as { requests: object[] };
    assert.equal(saved.requests.length, 3);
    await job.locator("[aria-label='Discard']").click();
    await confirm(page);
    await page.locator(said, { hasText: "Requests discarded: 3" }).waitFor();
    await job.waitFor({ state: "detached" });
  });

  it("is reached by the keyboard, and has no serious fault for screen readers", async () => {
    const page = await show();
    const tab = (name: string) => page.locator("[role=tab].messaging-sidebar-tab", { hasText: name });
    await tab("History").focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal(await tab("Activity").getAttribute("aria-selected"), "true");
    assert.equal(await page.locator(".messaging-history").isVisible(), false);
    await page.keyboard.press("ArrowRight");
    await page.locator(heads).first().waitFor();
    await openQueue(page);
    await page.locator(heads).last().click();
    await page.locator(".messaging-history .messaging-activity-details:has(dl)").waitFor();
    await search(page, PEOPLE.delivered);
    await page.waitForFunction(`document.querySelectorAll("${heads}").length === 1`);
    await page.locator(heads, { hasText: PEOPLE.delivered }).click();
    await page.locator(".messaging-history .messaging-activity-details:has(dl)").waitFor();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
  });
}

onEachEditor("history in the sidebar", historyTests);
