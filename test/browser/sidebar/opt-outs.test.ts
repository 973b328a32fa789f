import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import type { Flows } from "../../support/node-red/admin-client";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { readCsv } from "../../support/csv/read-csv";
import { holdAnswer } from "../../support/editor/hold-answer";
import { seriousFaults } from "../../support/editor/serious-faults";
import { tooWideWhenNarrow } from "../../support/editor/too-wide-when-narrow";

const ANNA = "+41790000001";
const BEAT = "+41790000002";

const flowsOf = (storeFolder: string): Flows => [
  { id: "tab", type: "tab", label: "opt-outs" },
  {
    id: "kept",
    type: "messaging-account",
    name: "A shop",
    service: "simulator",
    keepMessages: "computer",
    storeFolder,
    defaultCountry: "CH",
  },
  { id: "device", type: "messaging-account", name: "Device", service: "simulator", keepMessages: "memory" },
];

function optOutsTests(bench: EditorBench): void {
  const VIEW = ".messaging-opt-outs";
  const entries = `${VIEW} .messaging-opt-outs-entry`;

  const put = (number: string, scope = "all", account = "kept"): Promise<unknown> =>
    bench.nodeRed.request("POST", `/messaging-account/${account}/opt-outs/add`, { number, scope });
  const open = async (page: Page): Promise<Page> => {
    await page.evaluate('RED.actions.invoke("messaging:show-opt-outs-tab")');
    await page.locator(`${VIEW} select`).first().selectOption("kept");
    await page.locator(`${VIEW}-count`, { hasText: /opted out|abgemeldet/ }).waitFor();
    return page;
  };
  /** Deploys an account with a store that is new. */
  async function prepare(fill: () => Promise<void>): Promise<void> {
    await bench.deploy(flowsOf(await temporaryFolder("opt-outs")));
    await fill();
  }
  /** Shows the view of such an account. */
  async function show(fill: () => Promise<void> = async () => {}): Promise<Page> {
    await prepare(fill);
    await bench.editor.renew();
    return open(bench.editor.page);
  }
  const two = async (): Promise<void> => {
    await put(ANNA);
    await put(BEAT, "advertisement");
  };
  const type = (page: Page, text: string): Promise<void> => page.fill(`${VIEW}-form input`, text);
  const search = async (page: Page, text: string): Promise<void> => {
    await type(page, text);
    await page.keyboard.press("Enter");
  };
  const said = (page: Page, hasText: string | RegExp) => page.locator(`${VIEW} [role=status]`, { hasText });
  const numbers = async (page: Page): Promise<readonly string[]> =>
    page.locator(`${VIEW}-number`).allInnerTexts();
  const shows = (page: Page, count: number) =>
    page.waitForFunction(`document.querySelectorAll("${entries}").length === ${count}`);
  const count = (page: Page, hasText: string) => page.locator(`${VIEW}-count`, { hasText }).waitFor();

  it("has numbers with scope, source and time, and finds one in any spelling", async () => {
    const page = await show(two);
    await shows(page, 2);
    await count(page, "2 numbers have opted out");
    assert.deepEqual(await numbers(page), [ANNA, BEAT]);
    assert.match(
      await page.locator(entries).last().innerText(),
      /^\+41790000002\s*advertisement only · in the sidebar · \d\d:\d\d:\d\d$/,
    );
    await search(page, "079 000 00 02");
    await shows(page, 1);
    assert.deepEqual(await numbers(page), [BEAT]);
    await search(page, "0041 79 000 00 03");
    await said(page, "+41790000003 is not in the list").waitFor();
    await search(page, "Ada");
    await said(page, "not a phone number").waitFor();
    await search(page, "");
    await shows(page, 2);
  });

  itOnBoth("adds a number, and takes one off when that is confirmed", async () => {
    const page = await show();
    await count(page, "Nobody has opted out");
    const add = page.locator(`${VIEW}-form button`, { hasText: "Add" });
    assert.equal(await add.isDisabled(), true, "without a number");
    await type(page, "079 000 00 01");
    await page.selectOption(`${VIEW}-form select`, "advertisement");
    await add.click();
    await said(page, `Added: ${ANNA}`).waitFor();
    await shows(page, 1);
    assert.match(await page.locator(entries).innerText(), /advertisement only/);
    await count(page, "1 number has opted out");
    const off = page.locator(`[aria-label='Take ${ANNA} off the list']`);
    await off.click();
    const question = page.locator(".red-ui-notification", { hasText: ANNA });
    await question.locator("button", { hasText: "Leave it as it is" }).click();
    await question.waitFor({ state: "detached" });
    assert.deepEqual(await numbers(page), [ANNA]);
    await off.click();
    await page.click(".red-ui-notification button.primary");
    await said(page, `Taken off: ${ANNA}`).waitFor();
    await count(page, "Nobody has opted out");
    await shows(page, 0);
  });

  it("leaves what is typed while a number is added, and adds it once", async () => {
    const page = await show();
    await count(page, "Nobody has opted out");
    const add = page.locator(`${VIEW}-form button`, { hasText: "Add" });
    const held = await holdAnswer(page, "**/opt-outs/add", 2);
    await type(page, ANNA);
    await add.dblclick();
    await held.answered;
    await type(page, "Ada");
    await held.release();
    await said(page, `Added: ${ANNA}`).waitFor();
    await shows(page, 1);
    assert.equal(held.asked(), 1);
    assert.equal(await page.inputValue(`${VIEW}-form input`), "Ada");
    // A deploy shows the list that was asked for, not what is being typed.
    const list = page.waitForResponse("**/opt-outs/list");
    await page.evaluate('RED.events.emit("deploy")');
    await list;
    await shows(page, 1);
  });

  it("goes on saying why a number was not added when the list comes", async () => {
    const page = await show(two);
    await shows(page, 2);
    const held = await holdAnswer(page, "**/opt-outs/count");
    await search(page, "");
    await type(page, "Ada");
    await page.locator(`${VIEW}-form button`, { hasText: "Add" }).click();
    await said(page, "not a phone number").waitFor();
    await held.release();
    await shows(page, 2);
    assert.equal(await said(page, "not a phone number").isVisible(), true);
  });

  it("does not say at another account what became of an action at the one before, and leaves what it says itself", async () => {
    const page = await show();
    await count(page, "Nobody has opted out");
    const button = (hasText: string) => page.locator(`${VIEW}-form button`, { hasText });
    const choose = (account: string) => page.locator(`${VIEW} select`).first().selectOption(account);
    const atMemory = async (): Promise<void> => {
      await choose("device");
      await page.getByText("its list ends with Node-RED").waitFor({ state: "visible" });
    };
    for (const [typed, answer] of [
      [ANNA, "Added"],
      ["Ada", "not a phone number"],
    ] as const) {
      const held = await holdAnswer(page, "**/opt-outs/add");
      await type(page, typed);
      await button("Add").click();
      await held.answered;
      await type(page, "");
      await atMemory();
      await held.release();
      await count(page, "Nobody has opted out");
      assert.equal(await said(page, answer).count(), 0);
      await choose("kept");
      await count(page, "1 number has opted out");
    }
    const saved = await holdAnswer(page, "**/opt-outs/export");
    await button("CSV").click();
    await saved.answered;
    await atMemory();
    await type(page, "Ada");
    await button("Add").click();
    await said(page, "not a phone number").waitFor();
    await Promise.all([page.waitForEvent("download"), saved.release()]);
    assert.equal(await said(page, "not a phone number").isVisible(), true);
  });

  it("goes on page by page, and saves the whole list as a file", async () => {
    const page = await show(async () => {
      for (let n = 0; n < 60; n++) {
        await put(`+417900000${String(n).padStart(2, "0")}`);
      }
    });
    await shows(page, 50);
    await page.click(`${VIEW} .messaging-view-more button`);
    await shows(page, 60);
    assert.equal(await page.locator(`${VIEW} .messaging-view-more button`).isVisible(), false);
    assert.equal(new Set(await numbers(page)).size, 60);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(`${VIEW}-form button`, { hasText: "CSV" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "opt-outs.csv");
    const [titles = [], first = [], ...others] = readCsv(await readFile(await download.path(), "utf8"));
    const zone = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone");
    assert.deepEqual(titles, ["Number", "Scope", `Since (${zone})`, "Source"]);
    assert.match(first.join("|"), /^\+41 790000000\|everything\|\d{4}-\d\d-\d\d \S+\|in the sidebar$/);
    assert.equal(others.length, 59);
  });

  it("saves a file for a German spreadsheet in a German editor, where nothing else is chosen", async () => {
    await prepare(two);
    const other = await bench.editorIn("de", false);
    const page = await open(other.page);
    await shows(page, 2);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(`${VIEW}-form button`, { hasText: "CSV" }).click(),
    ]);
    const [titles = [], first = []] = readCsv(await readFile(await download.path(), "utf8"), ";");
    assert.deepEqual([titles[0], titles[3]], ["Nummer", "Herkunft"]);
    assert.match(first.join("|"), /^\+41 790000001\|alles\|\d\d\.\d\d\.\d{4} [\d:]{8}\|/);
  });

  it("works for an account in memory mode, and says how long its list lasts", async () => {
    const page = await show();
    assert.equal(await page.getByText("its list ends with Node-RED").isVisible(), false);
    await page.locator(`${VIEW} select`).first().selectOption("device");
    await page.getByText("its list ends with Node-RED").waitFor({ state: "visible" });
    await type(page, "+41 79 000 00 09");
    await page.locator(`${VIEW}-form button`, { hasText: "Add" }).click();
    await shows(page, 1);
    await page.locator(`${VIEW} select`).first().selectOption("kept");
    await count(page, "Nobody has opted out");
    await bench.nodeRed.request("POST", "/messaging-account/device/opt-outs/remove", {
      number: "+41790000009",
    });
  });

  it("says what became of an opt-out when everything about a number is deleted", async () => {
    const page = await show(two);
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await page.fill(".messaging-history-form input[type=text]", ANNA);
    await page.locator(".messaging-history-form button", { hasText: "Delete this number…" }).click();
    const question = page.locator(".red-ui-notification", { hasText: ANNA });
    assert.match(await question.innerText(), /stays, and so does an opt-out/);
    await page.click(".red-ui-notification button.primary");
    await page.locator(".messaging-history-notice", { hasText: "messages 0, events 0" }).waitFor();
    await open(page);
    await shows(page, 2);
  });

  for (const [locale, dark] of [
    ["en-US", false],
    ["de", true],
  ] as const) {
    it(`has no serious fault for screen readers, and fits into a narrow sidebar (${locale}${dark ? ", dark" : ""})`, async () => {
      await prepare(two);
      const other = await bench.editorIn(locale, dark);
      const page = await open(other.page);
      await shows(page, 2);
      assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
      assert.deepEqual(
        await tooWideWhenNarrow(page, `.messaging-sidebar-tab, ${VIEW}`, `${VIEW} button`),
        [],
      );
      const scrolling = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll(".messaging-sidebar, ${VIEW}, ${VIEW} *")]
          .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY)).map((one) => one.className)`,
      );
      assert.deepEqual(scrolling, ["messaging-view messaging-opt-outs"], "one scrollbar");
    });
  }
}

onEachEditor("opt-outs in the sidebar", optOutsTests);
