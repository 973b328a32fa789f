// Slow: each test deploys a new store, and one loads the editor in German.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import type { Flows } from "../../support/node-red/admin-client";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { readCsv } from "../../support/csv/read-csv";
import { holdAnswer } from "../../support/editor/hold-answer";
import { seriousFaults } from "../../support/editor/serious-faults";

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
];

function optOutsTests(bench: EditorBench): void {
  const VIEW = ".messaging-opt-outs";
  const entries = `${VIEW} .messaging-opt-outs-entry`;

  const put = (number: string, scope = "all"): Promise<unknown> =>
    bench.nodeRed.request("POST", "/messaging-account/kept/opt-outs/add", { number, scope });
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

  it("lists numbers with scope and source, and finds one in any spelling", async () => {
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

  itOnBoth("adds a number, and removes it only after a question", async () => {
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

  it("adds a number once when it is confirmed twice", async () => {
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
  });

  it("pages, and saves the whole list as a file", async () => {
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
    const [, first = [], ...others] = readCsv(await readFile(await download.path(), "utf8"));
    assert.match(first.join("|"), /^\+41 790000000\|everything\|\d{4}-\d\d-\d\d \S+\|in the sidebar$/);
    assert.equal(others.length, 59);
  });

  it("has no serious fault in German and dark colours", async () => {
    await prepare(two);
    const page = await open((await bench.editorIn("de", true)).page);
    await shows(page, 2);
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
  });
}

onEachEditor("opt-outs in the sidebar", optOutsTests);
