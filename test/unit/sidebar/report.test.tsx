import assert from "node:assert/strict";
import { READ_HISTORY } from "../../../lib/shared/history/history";
import type { Report, ReportStep } from "../../../lib/shared/history/report";
import { useSidebar } from "../../support/sidebar/sidebar-page";

const TOTALS = { messages: 70, segments: 126, simulated: 0, delivered: 60, read: 2, failed: 7, skipped: 2 };
const DAY = 86_400_000;
const steps = Array.from(
  { length: 7 },
  (_, day): ReportStep => ({
    ...{ messages: 10, segments: 10, simulated: 0, delivered: day, read: 0, failed: 1, skipped: 0 },
    ...{ from: new Date(Date.UTC(2025, 5, 1) + day * DAY).toISOString(), replies: 1, optOuts: 0 },
  }),
);
const REPORT: Report = {
  ...TOTALS,
  from: "2025-06-01T00:00:00.000Z",
  to: "2025-06-08T00:00:00.000Z",
  replies: 7,
  optOuts: 0,
  deliverySeconds: { median: 9, p95: 75 },
  reasons: [
    ...[
      { statusCode: 4031, statusName: "BLACKLISTED", reason: "On the blacklist.", advice: "Ask.", count: 4 },
    ],
  ],
  nodes: [{ ...TOTALS, node: "orders" }],
  steps,
  rows: [
    { channel: "SMS", outcome: "sent", delivery: "delivered", count: 58 },
    { channel: "WhatsApp", outcome: "open", delivery: "none", count: 1 },
  ],
};

describe("Report", () => {
  const { page } = useSidebar();
  const show = (handlers: Parameters<ReturnType<typeof page>["show"]>[1] = {}): Promise<void> =>
    page().show("report", { "report/look": () => ({ report: REPORT, zone: "UTC" }), ...handlers });
  const lastQuery = (): unknown =>
    (page().runtime.inputsOf("report/look").at(-1) as { query: unknown }).query;

  it("shows the numbers of a period with charts and tables", async () => {
    page().editor.nodes = [
      ...page().editor.nodes,
      { id: "orders", type: "messaging-sms-send", name: "Orders", account: "shop", z: "tab" },
    ];
    await show();
    await page().sees("Messages70");
    assert.deepEqual(lastQuery(), { period: "7-days", step: "day" });
    for (const tile of [
      "Delivered60 85.7 %",
      "Failed7 10 %",
      "Not known1 1.4 %",
      "Half within9 s",
      "95 % within1 min",
    ]) {
      assert.ok(page().text.includes(tile), tile);
    }
    assert.equal(page().all('svg[aria-label="Messages by day"] g').length, 7);
    assert.equal(page().all('svg[aria-label="Replies and opt-outs by day"] polyline').length, 2);
    await page().press(page().all(".messaging-numbers > summary")[0] as HTMLElement);
    assert.equal(page().texts(".messaging-numbers tbody tr")[6], "Sat, 06/076301");
    const tables = page().texts(".messaging-part > table tbody tr");
    assert.deepEqual(tables, ["Orders70607", "SMSsentdelivered58", "WhatsAppon its wayno report1"]);
    assert.deepEqual(page().texts(".messaging-reasons > li"), [
      "4 On the blacklist.Ask. Code: 4031 BLACKLISTED",
    ]);
  });

  it("counts for other filters, and says why it cannot", async () => {
    await show({
      "report/look": ({ query }: { query: { channel?: string; step: string } }) =>
        query.step === "hour" ? { error: "too-long-hour" } : { report: REPORT, zone: "UTC" },
    });
    await page().choose("Channel", "WhatsApp");
    await page().sees("Replies and opt-outs are those of the whole account");
    assert.deepEqual(lastQuery(), { period: "7-days", step: "day", channel: "WhatsApp" });
    await page().choose("Period", "between");
    await page().sees("Choose the first and the last day.");
    await page().type("First day", "2025-01-01");
    await page().type("Last day", "2025-12-30");
    await page().sees("Messages70");
    await page().choose("Divided into", "hour");
    await page().sees("By hour a report has at most 31 days.");
  });

  it("shows only the report that was asked for last", async () => {
    const release: ((report: object) => void)[] = [];
    await show({ "report/look": () => new Promise((resolve) => release.push(resolve)) });
    await page().press("Count again");
    await page().until(() => release.length === 2);
    release[1]?.({ report: { ...REPORT, messages: 2 }, zone: "UTC" });
    await page().sees("Messages2");
    release[0]?.({ report: REPORT, zone: "UTC" });
    await page().press("Count again");
    assert.doesNotMatch(page().text, /Messages70/);
  });

  it("counts nothing for a user who may not read the history", async () => {
    page().editor.denied = [READ_HISTORY];
    await show();
    await page().sees("You need the permission messaging-history.read to see a report.");
    assert.deepEqual(page().runtime.inputsOf("report/look"), []);
  });
});
