import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import { EXPORT_COLUMNS, type HistoryPage } from "../../../lib/shared/history/history";
import { spacedNumber } from "../../../lib/shared/recipients/spaced-number";
import { readCsv } from "../../support/csv/read-csv";
import { account, inject, msg, sender, str } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import type { Flows } from "../../support/node-red/admin-client";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { fillStore, PEOPLE } from "../../support/store/fill-store";
import { holdAnswer } from "../../support/editor/hold-answer";
import { seriousFaults } from "../../support/editor/serious-faults";
import { tooWideWhenNarrow } from "../../support/editor/too-wide-when-narrow";

const WAITING = 60;
const NEW_PERSON = "41791119999";

const flowsOf = (storeFolder: string): Flows => [
  { id: "tab", type: "tab", label: "history" },
  account("kept", { name: "A shop", keepMessages: "computer", keepTexts: true, storeFolder }),
  account("device", { name: "Device" }),
  account("halted", { name: "Halted", stopSending: true }),
  sender("alarm", "sms-send", { name: "Alarm", account: "device" }),
  sender("sender", "sms-send", {
    name: "Orders",
    account: "kept",
    ...str("recipientAddressList", NEW_PERSON),
  }),
  inject("begin", "sender"),
];

const INVOICES: Flows = [
  sender("once", "sms-send", {
    name: "Invoices",
    account: "kept",
    ...str("recipientAddressList", NEW_PERSON),
    ...str("onceKey", "invoice 1"),
  }),
  inject("invoice", "once"),
];

function historyTests(bench: EditorBench): void {
  const heads = ".messaging-history-head";
  const said = ".messaging-history-said";

  let former: string | undefined;

  /** Shows the history of an account that a killed Node-RED has left. Nothing waits where the account of the test before was. */
  async function show(leavesAt?: number, more: Flows = []): Promise<Page> {
    const folder = await temporaryFolder("history");
    const when = leavesAt === undefined ? {} : { leavesAt };
    await fillStore(folder, { account: "kept", node: "sender", waiting: WAITING, ...when });
    await bench.deploy([...flowsOf(folder), ...more]);
    if (former !== undefined) await rm(former, { recursive: true });
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
  afterEach(async () => {
    for (const account of ["kept", "device"]) {
      await bench.nodeRed.request("POST", `/messaging-account/${account}/sending/go-on`, {});
    }
  });

  itOnBoth("finds a person in any spelling, and shows what became of the message", async () => {
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
    assert.doesNotMatch(await details.innerText(), /messaging-activity|undefined/);
    await page.keyboard.press(" ");
    await details.waitFor({ state: "detached" });
  });

  itOnBoth("finds a person by a part of the name, in capital or small letters", async () => {
    const page = await show();
    for (const typed of ["müll", "JÖRG M"]) {
      await search(page, PEOPLE.refused);
      await page.locator(heads, { hasText: PEOPLE.refused }).waitFor();
      await search(page, typed);
      await page.locator(heads, { hasText: PEOPLE.failed }).waitFor();
      const found = await page.locator(heads).allInnerTexts();
      assert.equal(found.length, 1, typed);
      assert.match(found[0] ?? "", /Jörg Müller, \+41791110004 \(row 7\)[\s\S]*not delivered/);
    }
    assert.equal(await form(page, "Delete this number").isVisible(), false);
    await search(page, "Carla");
    await page.locator(".messaging-history-results", { hasText: "No message" }).waitFor();
    assert.equal(await page.locator(heads).count(), 0);
  });

  it("renews itself, and leaves what is read, unfolded and typed as it is", async () => {
    const page = await show();
    // The editor may tell of its flows, and so begin another search, until it is at rest.
    for (let looks = 0; looks < 2; looks++) {
      await page.waitForResponse("**/messaging-account/kept/history/search");
    }
    await page.evaluate(`document.querySelectorAll("${heads}")[20].id = "read"`);
    const same = page.locator("#read");
    assert.match(await same.innerText(), /waits|waiting/);
    await same.click();
    await page.locator(".messaging-history .messaging-activity-details:has(dl)").waitFor();
    await page.locator(".messaging-history-form input[type=text]").fill("079");
    await same.focus();
    await page.evaluate('document.getElementById("read").scrollIntoView({ block: "start" })');
    const top = async () => Math.round((await same.boundingBox())?.y ?? Number.NaN);
    const before = await top();
    // What changes while somebody presses is shown after the click.
    const next = page.locator(heads).nth(21);
    const { x, y } = (await next.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 20, y + 10);
    await page.mouse.down();
    const news = page.waitForResponse(
      async (answer) =>
        answer.url().endsWith("/history/search") &&
        ((await answer.json()) as HistoryPage).entries.every(({ state }) => state !== "waiting"),
    );
    await bench.nodeRed.request("POST", "/messaging-account/kept/sending/go-on", {});
    await news;
    await page.mouse.up();
    assert.equal(await next.getAttribute("aria-expanded"), "true", "the click is lost");
    await next.click();
    await same.focus();
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
    assert.ok(Math.abs((await top()) - before) <= 1, "what was read has moved");
    await page.click(".messaging-history-results .messaging-view-more button");
    await page.waitForFunction(`document.querySelectorAll("${heads}").length > ${WAITING}`);
    const all = await page.locator(`${heads} .messaging-activity-who`).allInnerTexts();
    for (let looks = 0; looks < 2; looks++) {
      await page.waitForResponse("**/messaging-account/kept/history/search");
    }
    assert.deepEqual(await page.locator(`${heads} .messaging-activity-who`).allInnerTexts(), all);
  });

  it("says of an entry without a readable number what it has, and where it stands in its list", async () => {
    const list: Flows = [
      sender("list", "sms-send", {
        name: "List",
        account: "kept",
        ...str("recipientAddressList", "079 12a 45, Anna"),
      }),
      inject("listed", "list"),
    ];
    const page = await show(undefined, list);
    await bench.nodeRed.request("POST", "/messaging-account/kept/sending/go-on", {});
    await bench.nodeRed.inject("listed");
    const found = page.locator(heads, { hasText: "List" });
    await found.filter({ hasText: /Anna[\s\S]*rejected/ }).waitFor();
    const told = (await found.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    assert.equal(told.length, 2);
    assert.match(told.join("\n"), /079 12a 45 \(row 1\) SIMULATED rejected · no valid number List/);
    assert.match(told.join("\n"), /Anna \(row 2\) SIMULATED rejected · no valid number List/);
    await form(page, "Send again to those who failed").click();
    const asked = page.locator(".red-ui-notification", { hasText: "2 without a readable number." });
    assert.match(
      await asked.innerText(),
      /Correct these.*send to them alone\. Run the whole list again only if/s,
    );
  });

  itOnBoth("shows in grey what a rule kept back, and why; it is no failure in the badge either", async () => {
    const page = await show(undefined, INVOICES);
    const shown = (text: RegExp) => page.locator(heads).first().filter({ hasText: text });
    await bench.nodeRed.request("POST", "/messaging-account/kept/sending/go-on", {});
    await search(page, NEW_PERSON);
    await bench.nodeRed.inject("invoice");
    await shown(/Invoices/)
      .filter({ hasText: "sent" })
      .waitFor();
    await bench.nodeRed.inject("invoice");
    await shown(/skipped\s*· sent already[\s\S]*Invoices/).waitFor();
    assert.equal(
      await shown(/skipped/)
        .locator(".messaging-activity-dot.messaging-activity-none")
        .count(),
      1,
    );
    await page.getByText(/2 messages · 1 sent · 1 skipped/).waitFor();
    await page
      .locator(".red-ui-flow-node-status-label", { hasText: "1 skipped: sent already · 1 accepted" })
      .waitFor();
  });

  it("says that Node-RED does not answer, until it answers again", async () => {
    const page = await show();
    await page.evaluate(`window.isDown = true;
      $.ajaxPrefilter((options, original, request) => {
        if (window.isDown && options.url.includes("/history/")) request.abort();
      });`);
    const notice = page.locator(".messaging-history-notice", { hasText: "Node-RED does not answer" });
    await notice.waitFor();
    await page.evaluate("window.isDown = false");
    await notice.waitFor({ state: "hidden" });
    assert.equal(await page.locator(heads).count(), 50);
    await page.evaluate("window.isDown = true");
    await search(page, PEOPLE.refused);
    await notice.waitFor();
    assert.equal(await page.locator(heads).count(), 0);
    await page.evaluate("window.isDown = false");
    await page.locator(heads, { hasText: PEOPLE.refused }).waitFor();
    await notice.waitFor({ state: "hidden" });
  });

  it("goes on page by page, narrows the search by outcome, and saves what is found as a file", async () => {
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
    const [titles = [], line = [], ...rest] = readCsv(await readFile(await download.path(), "utf8"));
    const zone = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone");
    assert.deepEqual(titles.slice(0, 7), [
      `Taken (${zone})`,
      "Recipient",
      "Name",
      "Row in its list",
      "Channel",
      "Outcome",
      "Reason",
    ]);
    assert.deepEqual(line.slice(1, 6), [spacedNumber(PEOPLE.refused), "", "", "SMS", "rejected"]);
    assert.deepEqual(line.slice(7, 8), ["1"]);
    assert.deepEqual(line.slice(titles.indexOf("Simulated")), ["no", "sms-json", "sender"]);
    assert.deepEqual(rest, []);
    await page.locator(".messaging-history-form select", { hasText: "commas" }).selectOption("programs");
    const [other] = await Promise.all([page.waitForEvent("download"), form(page, "CSV").click()]);
    const [names = [], values = []] = readCsv(await readFile(await other.path(), "utf8"));
    assert.deepEqual(names, EXPORT_COLUMNS);
    assert.deepEqual(values.slice(1, 6), [`+${PEOPLE.refused}`, "", "", "SMS", "rejected"]);
    await search(page, "++79");
    await page.locator(".messaging-history-notice", { hasText: "not a phone number" }).waitFor();
  });

  itOnBoth(
    "sends again to those whom a message surely did not reach, after a question, and once",
    async () => {
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
      await page
        .locator(".messaging-history-notice", { hasText: "1 message is in the queue again" })
        .waitFor();
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
    },
  );

  it("tells nodes of one label apart by their text, else by a number", async () => {
    const twin = (id: string, text: object) =>
      sender(id, "sms-send", { account: "kept", ...msg("recipientAddressList", "payload"), ...text });
    const page = await show(undefined, [
      twin("one", str("messageContent", "Dear {{name}}, your order is ready")),
      twin("two", str("messageContent", "Dear {{name}}, see you on {{day}}")),
      twin("three", msg("messageContent", "text")),
      twin("four", msg("messageContent", "text")),
    ]);
    const offered = await page
      .locator(".messaging-history-form option", { hasText: "SMS to" })
      .allTextContents();
    assert.deepEqual(offered.sort(), [
      "SMS to msg.payload · A shop (simulator) (history) · 1",
      "SMS to msg.payload · A shop (simulator) (history) · 2",
      "SMS to msg.payload · A shop (simulator) (history) · Dear {{name}}, see you o…",
      "SMS to msg.payload · A shop (simulator) (history) · Dear {{name}}, your orde…",
    ]);
  });

  it("deletes a number when that is confirmed, and says what was deleted", async () => {
    const page = await show();
    await search(page, PEOPLE.delivered);
    await form(page, "Delete this number…").click();
    const question = page.locator(".red-ui-notification", { hasText: PEOPLE.delivered });
    await question.locator("button", { hasText: "Leave it as it is" }).click();
    await question.waitFor({ state: "detached" });
    await page.waitForFunction(`document.querySelectorAll("${heads}").length === 1`);
    await form(page, "Delete this number…").click();
    const held = await holdAnswer(page, "**/history/delete-number");
    await confirm(page);
    await held.answered;
    // What is typed meanwhile is for the next search.
    await page.fill(".messaging-history-form input[type=text]", PEOPLE.refused);
    await held.release();
    await page.locator(".messaging-history-notice", { hasText: "messages 1, events 2" }).waitFor();
    await page
      .locator(".messaging-history-notice", {
        hasText: "No message of the account “A shop (simulator)” fits",
      })
      .waitFor();
    assert.equal(await page.locator(heads).count(), 0);
    assert.equal(await page.inputValue(".messaging-history-form input[type=text]"), PEOPLE.refused);
    // Why that was impossible is not said at another account.
    await page.fill(".messaging-history-form input[type=text]", "++12345");
    await form(page, "Delete this number…").click();
    const failed = await holdAnswer(page, "**/history/delete-number");
    await confirm(page);
    await failed.answered;
    await page.locator(".messaging-history select").first().selectOption("device");
    await page.locator(".messaging-history-memory").waitFor();
    await failed.release();
    assert.equal(await page.getByText("not a phone number").count(), 0);
  });

  it("shows the details that were read last, whichever answer comes first", async () => {
    const page = await show();
    const waits = page.locator(heads, { hasText: /waits|waiting/ }).first();
    const held = await holdAnswer(page, "**/history/message");
    await waits.click();
    await held.answered;
    await bench.nodeRed.request("POST", "/messaging-account/kept/sending/go-on", {});
    const details = page.locator(".messaging-history .messaging-activity-details:has(dl)", {
      hasText: "2000",
    });
    await details.waitFor();
    await held.release();
    assert.equal(await details.count(), 1);
  });

  it("goes on saying why all sending could not be stopped", async () => {
    const page = await show();
    await goOn(page);
    await page.route(
      "**/sending/stop",
      (route) => route.fulfill({ json: { error: "store", message: "The disk is full." } }),
      { times: 1 },
    );
    await page.click(".messaging-history-stop");
    const failed = page.locator(`.messaging-history-sending ${said}`, { hasText: "The disk is full." });
    await failed.waitFor();
    for (let looks = 0; looks < 2; looks++) await page.waitForResponse("**/sending/look");
    assert.equal(await failed.isVisible(), true);
    await page.click(".messaging-history-stop");
    await sending(page, /stopped since/).waitFor();
    await failed.waitFor({ state: "hidden" });
  });

  it("has no message of an account in the queue of another one", async () => {
    const page = await show();
    await openQueue(page);
    await page.locator(".messaging-history-job").first().waitFor();
    const held = await holdAnswer(page, "**/device/queue/look");
    // Under a press the former one stays until the end: its buttons act on what they stand at.
    await page.locator(".messaging-history-job").first().hover();
    await page.mouse.down();
    await page.locator(".messaging-history select").first().selectOption("device");
    const asked = page.waitForRequest("**/queue/pause");
    await page.evaluate("document.querySelector(\"[aria-label='Pause this message']\").click()");
    assert.match((await asked).url(), /\/kept\/queue\/pause$/);
    await page.mouse.up();
    await page.waitForFunction("document.querySelectorAll('.messaging-history-job').length === 0");
    await held.release();
  });

  it("shows that all sending is stopped, and lets it go on after a question, whose buttons work once", async () => {
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

  itOnBoth("stops an account in memory at once, by the keyboard too, and shows it on its nodes", async () => {
    const page = await show();
    await page.locator(".messaging-history select").first().selectOption("device");
    await sending(page, "This account sends.").waitFor();
    await page.locator(".messaging-history-stop").focus();
    await page.keyboard.press("Enter");
    await sending(page, /stopped since[\s\S]*Waiting requests: 0/).waitFor();
    const focus = await page.evaluate("document.activeElement.className");
    assert.match(String(focus), /messaging-history-go-on/);
    const badge = page.getByText("SIMULATED · stopped", { exact: true });
    await badge.waitFor();
    await goOn(page);
    await badge.waitFor({ state: "detached" });
  });

  it("says when a message that waits for a time leaves, and cancels it", async () => {
    const leavesAt = new Date(Date.now() + 50 * 24 * 3_600_000);
    leavesAt.setHours(20, 15, 0, 0);
    const page = await show(leavesAt.getTime());
    const time = await page.evaluate<string>(
      `new Date(${leavesAt.getTime()}).toLocaleString(RED.i18n.lang(), { day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit",
        ...(${leavesAt.getFullYear()} === new Date().getFullYear() ? {} : { year: "2-digit" }) })`,
    );
    await search(page, PEOPLE.waiting);
    await page
      .locator(heads, { hasText: `leaves at ${time}` })
      .first()
      .waitFor();
    await page.locator(heads).first().click();
    await page
      .locator(".messaging-history .messaging-activity-details:has(dl)", {
        hasText: "waits for the time at which it may leave",
      })
      .waitFor();
    await openQueue(page);
    const facts = page.locator(".messaging-history-facts", { hasText: /The next one leaves in \d+\sd\./ });
    await facts.waitFor();
    const job = page.locator(".messaging-history-job", { hasText: `leaves at ${time}` });
    await job.locator("[aria-label='Pause this message']").click();
    await page.locator(said, { hasText: `Requests paused: ${WAITING}` }).waitFor();
    await goOn(page);
    await summary(page, /^60 paused/).waitFor();
    await page.locator(".messaging-history-job [aria-label='Resume this message']").click();
    await page.locator(said, { hasText: `Requests resumed: ${WAITING}` }).waitFor();
    await job.locator("[aria-label^='Cancel']").click();
    await confirm(page);
    await page.locator(said, { hasText: `Requests cancelled: ${WAITING}` }).waitFor();
    await summary(page, /^3 without a node$/).waitFor();
    assert.equal(await facts.count(), 0);
    await search(page, PEOPLE.waiting);
    await page.locator(heads, { hasText: "try again" }).first().waitFor();
  });

  it("lets a person save and discard a message whose node is gone", async () => {
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

  it("says of an account that its settings stop it, what one in memory mode cannot know, and leads to its dialog", async () => {
    const page = await show();
    const accounts = page.locator(".messaging-history select").first();
    await accounts.selectOption("halted");
    await sending(page, /stopped in the settings of the account/).waitFor();
    assert.equal(await page.isVisible(".messaging-history-go-on"), false);
    await accounts.selectOption("device");
    await sending(page, "This account sends.").waitFor();
    const notice = page.locator(".messaging-history-memory");
    await notice.filter({ hasText: "keeps messages in memory only" }).waitFor();
    assert.equal(await page.locator(".messaging-history-form").isVisible(), false);
    await notice.locator("button").click();
    await bench.editor.opened("#node-config-input-name");
    assert.equal(await page.inputValue("#node-config-input-name"), "Device");
    await bench.editor.closeAccount();
  });

  it("is reached by the keyboard, fits into a narrow sidebar, and has no serious fault for screen readers", async () => {
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
    assert.deepEqual(await tooWideWhenNarrow(page, ".messaging-history"), []);
    const cut = await page.evaluate<boolean>(
      `[...document.querySelectorAll("${heads} .messaging-activity-who")].some((who) => who.scrollWidth > who.clientWidth)`,
    );
    assert.equal(cut, false, "numbers are cut off");
    await search(page, PEOPLE.delivered);
    await page.waitForFunction(`document.querySelectorAll("${heads}").length === 1`);
    await page.locator(heads, { hasText: PEOPLE.delivered }).click();
    await page.locator(".messaging-history .messaging-activity-details:has(dl)").waitFor();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
  });
}

onEachEditor("history in the sidebar", historyTests);
