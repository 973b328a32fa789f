// Slow: each test fills a store and deploys it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { readCsv } from "../../support/csv/read-csv";
import { account, sender } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { seriousFaults } from "../../support/editor/serious-faults";
import { dateOf } from "../../../lib/shared/schedule/zoned-time";
import type { Flows } from "../../support/node-red/admin-client";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { fillReport } from "../../support/store/fill-report";

const ZONE = "Asia/Tokyo";

const flowsOf = (storeFolder: string): Flows => [
  { id: "tab", type: "tab", label: "report" },
  account("kept", { name: "A shop", keepMessages: "computer", storeFolder, timeZone: ZONE }),
  sender("sender", "messaging-sms-send", { name: "Orders", account: "kept" }),
];

function reportTests(bench: EditorBench): void {
  const VIEW = ".messaging-report";
  const tiles = `${VIEW} .messaging-report-tiles`;

  async function prepare(): Promise<void> {
    const folder = await temporaryFolder("report");
    await fillReport(folder, "kept", "sender");
    await bench.deploy(flowsOf(folder));
  }
  const open = async (page: Page): Promise<Page> => {
    await page.evaluate('RED.actions.invoke("messaging:show-report-tab")');
    await page.locator(`${VIEW} select`).first().selectOption("kept");
    return page;
  };
  async function show(): Promise<Page> {
    await prepare();
    await bench.editor.renew();
    const page = await open(bench.editor.page);
    await page.locator(`${VIEW} .messaging-report-chart`).first().waitFor();
    return page;
  }
  const choose = (page: Page, label: string, value: string) =>
    page.locator(`${VIEW} select[aria-label="${label}"]`).selectOption(value);
  const said = (page: Page, hasText: string) => page.locator(`${VIEW} [role=status]`, { hasText });
  const tile = async (page: Page, title: string): Promise<string> =>
    (
      await page
        .locator(`${tiles} > div`, { has: page.getByText(title, { exact: true }) })
        .locator("dd")
        .innerText()
    )
      .replace(/\u00a0/g, " ")
      .trim();
  const titled = (page: Page, title: string) =>
    page.locator(`${VIEW} .messaging-report-part, ${VIEW} .messaging-report-chart`, {
      has: page.getByRole("heading", { name: title }),
    });
  const rowsIn = async (page: Page, title: string): Promise<readonly string[]> =>
    (await titled(page, title).locator("tbody tr").allInnerTexts()).map((row) =>
      row.replace(/\s+/g, " ").trim(),
    );

  itOnBoth("shows the numbers of a period with charts and tables", async () => {
    const page = await show();
    assert.deepEqual(
      await Promise.all(
        ["Messages", "Billed", "Delivered", "Read", "Failed", "Skipped"].map((each) => tile(page, each)),
      ),
      [...["70", "126", "60 85.7 %", "2 2.9 %", "7 10 %", "2 2.9 %"]],
    );
    assert.deepEqual(
      await Promise.all(
        ["Not known", "Half within", "95 % within", "Replies", "Opt-outs"].map((each) => tile(page, each)),
      ),
      [...["1 1.4 %", "9 s", "15 s", "7", "2"]],
    );
    assert.match(await page.innerText(`${VIEW} .messaging-report-when`), /\(Asia\/Tokyo\)$/);
    assert.equal(await page.locator(`${VIEW} svg[aria-label="Messages by day"] g`).count(), 7);
    const chart = titled(page, "Messages by day");
    await chart.getByRole("button", { name: "The numbers as a table" }).click();
    const days = await rowsIn(page, "Messages by day");
    assert.deepEqual(
      days.map((row) => row.replace(/^\S+ \S+ /, "")),
      [...["7 0 0 0", "12 0 2 2", "9 0 0 1", "0 1 0 0", "14 0 0 3", "11 0 0 1", "7 0 0 0"]],
    );
    assert.equal(
      await page.locator(`${VIEW} svg[aria-label="Replies and opt-outs by day"] polyline`).count(),
      2,
    );
    assert.deepEqual(await rowsIn(page, "By node"), ["Orders 70 60 7"]);
    assert.deepEqual(await rowsIn(page, "By channel and outcome"), [
      ...[
        "SMS sent delivered 58",
        "SMS sent expired 3",
        "SMS rejected no report 4",
        "SMS unknown no report 1",
        "SMS skipped no report 2",
      ],
      "WhatsApp sent read 2",
    ]);
    const reasons = await page.locator(`${VIEW} .messaging-report-reasons > li`).allInnerTexts();
    assert.match(reasons[0] ?? "", /^4\s+All recipients are on the blacklist.*\n.*Code: 4031/s);
    assert.match(reasons[1] ?? "", /^3\s/);
    assert.equal(reasons.length, 2);
  });

  it("narrows by channel and outcome, and refuses impossible periods", async () => {
    const page = await show();
    await choose(page, "Channel", "WhatsApp");
    await page.locator(`${tiles} b`).first().getByText("2", { exact: true }).waitFor();
    await page.getByText("Replies and opt-outs are those of the whole account").waitFor();
    await choose(page, "Channel", "");
    await choose(page, "Outcome", "rejected");
    await page.locator(`${tiles} b`).first().getByText("4", { exact: true }).waitFor();
    await choose(page, "Outcome", "");
    await choose(page, "Period", "last-week");
    await page
      .locator(`${VIEW} .messaging-report-when`, { hasText: /12:00 AM.*12:00 AM \(Asia\/Tokyo\)/ })
      .waitFor();
    await choose(page, "Period", "today");
    await choose(page, "Divided into", "hour");
    await page.locator(`${VIEW} svg[aria-label="Messages by hour"]`).waitFor();
    await choose(page, "Period", "between");
    await said(page, "Choose the first and the last day.").waitFor();
    await page.fill(`${VIEW} [aria-label="First day"]`, "2020-01-01");
    await page.fill(`${VIEW} [aria-label="Last day"]`, "2020-12-30");
    await said(page, "By hour a report has at most 31 days").waitFor();
    await page.fill(`${VIEW} [aria-label="Last day"]`, "2019-12-30");
    await said(page, "its last day is before its first one").waitFor();
  });

  it("saves each table as a file in the zone of the account", async () => {
    const page = await show();
    const save = async (table: string) => {
      await choose(page, "Which table is saved", table);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(`${VIEW} button`, { hasText: "CSV" }).click(),
      ]);
      const last = dateOf(Date.now(), ZONE);
      assert.equal(
        download.suggestedFilename(),
        `report-${table}-A shop (simulator)-${dateOf(Date.now() - 6 * 86_400_000, ZONE)}-${last}.csv`,
      );
      return readCsv(await readFile(await download.path(), "utf8"));
    };
    const [titles, ...days] = await save("steps");
    assert.deepEqual(titles, [
      ...[
        `From (${ZONE})`,
        "Messages",
        "Billed messages",
        "Simulated",
        "Delivered",
        "Read",
        "Failed",
        "Skipped",
        "Replies",
        "Opt-outs",
      ],
    ]);
    assert.equal(days.length, 7);
    assert.match((days[4] ?? []).join("|"), /^\d{4}-\d\d-\d\d 00:00:00\|17\|32\|0\|14\|0\|3\|0\|3\|1$/);
    assert.deepEqual((await save("rows"))[1], ["SMS", "sent", "delivered", "58"]);
    assert.deepEqual((await save("reasons"))[1]?.slice(1, 2), ["4"]);
    assert.deepEqual((await save("nodes"))[1], ["Orders", "70", "126", "0", "60", "2", "7", "2", "sender"]);
  });

  it("has no serious fault in German and dark colours", async () => {
    await prepare();
    const page = await open((await bench.editorIn("de", true)).page);
    await page.locator(`${VIEW} .messaging-report-reasons`, { hasText: "Sperrliste" }).waitFor();
    assert.equal(await tile(page, "Zugestellt"), "60 85,7 %");
    for (const each of await page.locator(`${VIEW} .messaging-report-numbers [role=button]`).all()) {
      await each.click();
    }
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
  });
}

onEachEditor("the report in the sidebar", reportTests);
