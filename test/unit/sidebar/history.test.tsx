import assert from "node:assert/strict";
import type { ReceivedItem, SendingView, SentItem } from "../../../lib/shared/history/history";
import { WRITE_HISTORY, WRITE_QUEUE, READ_HISTORY, WRITE_SENDING } from "../../../lib/shared/history/history";
import { ANYTHING, toQuery } from "../../../plugins/messaging-sidebar/history/search";
import { type Item, renew } from "../../../plugins/messaging-sidebar/history/use-messages";
import { useSidebar } from "../../support/sidebar/sidebar-page";

const NOON = Date.parse("2025-06-01T12:00:00Z");

const sent = (request: number, given: Partial<SentItem> = {}): SentItem => ({
  direction: "sent",
  id: `${request}-0`,
  job: request,
  request,
  part: 0,
  place: 0,
  account: "shop",
  node: "orders",
  channel: "SMS",
  operation: "sms-json",
  recipient: `+4179000000${request}`,
  name: null,
  row: null,
  state: "done",
  meaning: "The service accepted it.",
  outcome: "sent",
  statusCode: 2000,
  statusName: "OK",
  statusMessage: "Accepted.",
  advice: null,
  parameter: null,
  httpStatus: 200,
  smsCount: 1,
  source: "service",
  transferId: "transfer-1",
  clientMessageId: "order-1",
  attempts: 1,
  takenAt: new Date(NOON + request).toISOString(),
  dueAt: null,
  settledAt: null,
  delivery: null,
  deliveryAt: null,
  settledBy: "response",
  test: false,
  simulated: false,
  replied: false,
  reason: null,
  ...given,
});
const received = (event: number, given: Partial<ReceivedItem> = {}): ReceivedItem => ({
  direction: "received",
  event,
  at: new Date(NOON + event).toISOString(),
  sender: "+41790000009",
  channel: "whatsapp",
  simulated: false,
  ...given,
});
const PLACE = { sent: [1, 1, 0], received: null } as const;
const pageOf = (entries: readonly Item[], next: typeof PLACE | null = null) => ({ entries, next });
const lifeOf = (record: SentItem) => ({
  record,
  steps: [
    {
      kind: "queued",
      at: record.takenAt,
      text: "The node took it.",
      status: null,
      outcome: null,
      body: null,
    },
    { kind: "answered", at: record.takenAt, text: "Accepted.", status: null, outcome: "sent", body: null },
    { kind: "reply", at: record.takenAt, text: "", status: null, outcome: null, body: null },
  ],
});

const HTML = "<img src=x>";

describe("History", () => {
  const { page } = useSidebar();
  let entries: readonly Item[] = [];
  const heads = () => page().texts(".messaging-item > summary");
  const shows = (count: number) => page().until(() => heads().length === count);
  const unfold = (index: number) =>
    page().press(page().all(".messaging-item > summary")[index] as HTMLElement);

  const show = (handlers: Parameters<ReturnType<typeof page>["show"]>[1] = {}): Promise<void> =>
    page().show("history", {
      "history/search": () => pageOf(entries),
      "history/message": ({ request }: { request: number }) =>
        lifeOf(entries.find((each) => "request" in each && each.request === request) as SentItem),
      ...handlers,
    });

  beforeEach(() => {
    page().editor.nodes = [
      ...page().editor.nodes,
      { id: "orders", type: "messaging-sms-send", name: "Orders", account: "shop", z: "tab" },
    ];
  });

  it("shows messages in both directions with their state", async () => {
    entries = [
      received(9),
      sent(2, { delivery: "delivered", replied: true }),
      sent(1, { outcome: "rejected", reason: "on the blacklist", name: "Ada", row: 7, simulated: true }),
      sent(3, { state: "waiting", outcome: null }),
      sent(4, { outcome: "rejected", statusName: "OPTED_OUT" }),
      received(5, { sender: null, channel: null }),
    ];
    await show();
    await page().sees("message received");
    const withoutTimes = heads().map((text) => text.replace(/^\d\d\/\d\d\/\d\d, \d\d:\d\d [AP]M/, ""));
    assert.deepEqual(withoutTimes, [
      "+41790000009message received",
      "+41790000002sent· delivered· repliedOrders",
      "Ada, +41790000001 (row 7)SIMULATEDrejected· on the blacklistOrders",
      "+41790000003waitingOrders",
      "+41790000004skipped· opted outOrders",
      "no numbermessage received",
    ]);
  });

  it("renews the list, and leaves an unfolded message and typed text as they are", async () => {
    entries = [sent(1)];
    await show();
    await page().sees("+41790000001");
    const [first] = page().all(".messaging-item > summary");
    await page().press(first as HTMLElement);
    await page().sees("The node took it.");
    await page().type("number or name", "079");
    first?.focus();
    entries = [received(8), sent(2), sent(1, { delivery: "delivered" })];
    await page().sees("+41790000002");
    await page().until(() => page().runtime.inputsOf("history/message").length === 2);
    assert.equal(document.activeElement, first);
    assert.equal(first?.closest("details")?.open, true);
    assert.equal(page().input("number or name").value, "079");
    assert.match(heads()[2] ?? "", /delivered/);
  });

  it("shows the life of a message, and leads to its node and its conversation", async () => {
    entries = [sent(1, { advice: "Wait.", attempts: 2, delivery: "delivered" })];
    await show({
      "history/conversation": () => ({
        number: "",
        keepsTexts: true,
        messages: [],
        more: false,
        optOut: null,
      }),
    });
    await page().sees("+41790000001");
    await unfold(0);
    await page().sees("Advice: Wait.");
    assert.deepEqual(
      page()
        .texts(".messaging-steps > li")
        .map((text) => text.replace(/^.*[AP]M /, "")),
      ["The node took it.", "Accepted. Accepted. (2000 OK)", "+41790000001 replied."],
    );
    await page().press("Orders");
    assert.deepEqual(page().editor.shown, ["orders"]);
    await page().press(page().all(".messaging-details > button")[0] as HTMLElement);
    await page().until(() => page().runtime.inputsOf("history/conversation").length > 0);
    assert.deepEqual(page().runtime.inputsOf("history/conversation")[0], {
      number: "+41790000001",
      most: 50,
    });
  });

  it("shows older messages, and keeps them when the list is renewed", async () => {
    const older = [sent(1)];
    entries = [sent(3), sent(2)];
    await show({
      "history/search": ({ after }: { after: object | null }) =>
        after === null ? pageOf(entries, PLACE) : pageOf(older),
    });
    await page().sees("+41790000002");
    await page().press("Show more");
    await page().sees("+41790000001");
    assert.throws(() => page().named("Show more"));
    entries = [sent(4), sent(3)];
    await page().sees("+41790000004");
    assert.deepEqual(
      heads().map((text) => /\+\d+/.exec(text)?.[0].at(-1)),
      ["4", "3", "2", "1"],
    );
  });

  it("leaves the list if messages between are missing and the user reads one", () => {
    const shown = { items: [sent(1)], next: null };
    const page = pageOf([sent(9)], PLACE);
    assert.equal(
      renew(shown, page, () => true),
      shown,
    );
    assert.deepEqual(renew(shown, page, () => false).items, page.entries);
  });

  it("searches by number, name or id, in a time", () => {
    const search = { ...ANYTHING, text: " 079 000 00 01 " };
    assert.deepEqual(toQuery(search, NOON), { number: "079 000 00 01" });
    assert.deepEqual(toQuery({ ...search, text: "Jörg" }, NOON), { name: "Jörg" });
    assert.deepEqual(toQuery({ ...search, by: "transferId", text: "a" }, NOON), { transferId: "a" });
    assert.deepEqual(toQuery({ ...ANYTHING, outcome: "unknown", node: "n", range: "day" }, NOON), {
      outcome: "unknown",
      node: "n",
      from: NOON - 86_400_000,
    });
    const to = new Date(2025, 5, 1, 12).getTime() + 60_000;
    assert.deepEqual(toQuery({ ...ANYTHING, range: "between", to: "2025-06-01T12:00" }, NOON), { to });
  });

  it("searches at Enter and when something is chosen, and counts the sent messages", async () => {
    entries = [sent(1)];
    const tally = { count: 2_000, more: false, outcomes: { sent: 1_999 }, open: 1 };
    await show({ "history/search": () => ({ ...pageOf(entries), tally }) });
    await page().sees("2,000 messages to people · 1,999 sent · 1 on their way");
    const asks = (query: object) =>
      page().until(() => {
        const last = page().runtime.inputsOf("history/search").at(-1) as { query: object };
        return JSON.stringify(last.query) === JSON.stringify(query);
      });
    await page().type("number or name", "079", "Enter");
    await asks({ number: "079" });
    await page().choose("Outcome", "rejected");
    await asks({ number: "079", outcome: "rejected" });
    entries = [];
    await page().sees("No message fits.");
  });

  it("says why there are no messages, until there are", async () => {
    entries = [sent(1)];
    let isDown = true;
    await show({
      "history/search": () => (isDown ? { error: "store", message: "It is full." } : pageOf(entries)),
    });
    await page().sees("It is full.");
    isDown = false;
    await page().sees("+41790000001");
    assert.doesNotMatch(page().text, /It is full/);
  });

  it("deletes a number only after a question, and only a whole one", async () => {
    entries = [];
    await show({ "history/delete-number": () => ({ recipients: 1, events: 2, open: 3, gathered: 0 }) });
    await page().type("number or name", "0791");
    assert.throws(() => page().named("Delete this number…"));
    await page().type("number or name", "+41790000001");
    await page().press("Delete this number…");
    page().editor.questions[0]?.press(0);
    assert.deepEqual(page().runtime.inputsOf("history/delete-number"), []);
    await page().press("Delete this number…");
    page().editor.questions[1]?.press(1);
    await page().sees("Deleted: messages 1, events 2. Still on their way to this number: 3.");
    assert.deepEqual(page().runtime.inputsOf("history/delete-number"), [{ number: "+41790000001" }]);
  });

  it("sends again to those who failed after a question, once", async () => {
    entries = [sent(1, { outcome: "rejected" }), sent(2, { outcome: "unknown" })];
    const plan = { people: 1, segments: 2, mayRetry: 0, more: null, leftOut: {}, keepsTexts: true };
    await show({ "history/plan-again": () => plan, "history/send-again": () => ({ people: 1 }) });
    await shows(2);
    await unfold(0);
    await page().sees("Send this message again…");
    await page().press("Send this message again…");
    await page().until(() => page().editor.questions.length === 1);
    const [question] = page().editor.questions;
    assert.match(question?.html ?? "", /surely did not reach 1 person.*at most 2/);
    question?.press(1);
    question?.press(1);
    await page().sees("1 message is in the queue again.");
    assert.deepEqual(page().runtime.inputsOf("history/send-again"), [{ query: { job: 1 }, most: 1 }]);
    await unfold(1);
    await page().until(() => page().texts(".messaging-details dl").length === 2);
    assert.equal(
      page()
        .texts(".messaging-details button")
        .filter((each) => each.includes("again")).length,
      1,
    );
  });

  it("lets a user who may only read change nothing", async () => {
    page().editor.denied = [WRITE_QUEUE, WRITE_HISTORY, WRITE_SENDING];
    entries = [sent(1, { outcome: "rejected" })];
    await show();
    await shows(1);
    await page().type("number or name", "+41790000001");
    for (const name of ["Send again to those who failed…", "Delete this number…", "Stop all sending now"]) {
      assert.equal((page().named(name) as HTMLButtonElement).disabled, true, name);
    }
    await unfold(0);
    await page().sees("The node took it.");
    assert.throws(() => page().named("Send this message again…"));
  });

  it("shows no message to a user who may not read the history", async () => {
    page().editor.denied = [READ_HISTORY];
    await show();
    await page().sees("This account sends.");
    await page().sees("You need the permission messaging-history.read");
    assert.deepEqual(page().runtime.inputsOf("history/search"), []);
  });

  it("stops all sending, and continues only after a question", async () => {
    entries = [];
    let state: Partial<SendingView> = {};
    const look = () => ({
      ...{ stoppedSince: null, stoppedBySettings: false, refused: [], waiting: 60 },
      ...{ refusedCalls: { count: 0, since: "", reasons: [] } },
      ...state,
    });
    await show({
      "sending/look": look,
      "sending/stop": () => {
        state = { stoppedSince: new Date(NOON).toISOString() };
        return look();
      },
      "sending/go-on": () => {
        state = { refused: ["The service refuses the sign-in."] };
        return look();
      },
    });
    await page().sees("This account sends.");
    page().named("Stop all sending now").focus();
    await page().press("Stop all sending now");
    await page().sees(/All sending is stopped since .*Waiting requests: 60/);
    assert.equal(document.activeElement?.textContent?.trim(), "Go on");
    await page().press("Go on");
    page().editor.questions[0]?.press(0);
    page().editor.questions[0]?.press(1);
    assert.deepEqual(page().runtime.inputsOf("sending/go-on"), []);
    await page().press("Go on");
    assert.match(page().editor.questions[1]?.html ?? "", /Waiting requests: 60/);
    page().editor.questions[1]?.press(1);
    await page().sees("The service refuses the sign-in.");
    page().named("Resume");
  });

  it("shows refused webhook calls in one line with the last reasons", async () => {
    entries = [];
    const at = new Date(NOON).toISOString();
    const reasons = [
      { reason: "wrong-credentials", code: 401, times: 11, at, node: "orders" },
      { reason: "not-json", code: 400, times: 1, at, node: "gone" },
    ];
    await show({
      "sending/look": () => ({
        ...{ stoppedSince: null, stoppedBySettings: false, refused: [], waiting: 0 },
        refusedCalls: { count: 12, since: at, reasons },
      }),
    });
    await page().sees(
      /12 webhook calls were refused: wrong secret \(401, 11 ×, last at .*\), not JSON \(400, 1 ×/,
    );
    const titles = page()
      .all(".messaging-refused > span")
      .map(({ title }) => title);
    assert.match(titles.join(), /^Orders, .*,deleted node, /);
  });

  it("shows HTML in names and numbers as text", async () => {
    page().editor.nodes = [
      { id: "shop", type: "messaging-account", name: HTML },
      { id: "orders", type: "messaging-sms-send", name: HTML, account: "shop", z: "tab" },
    ];
    entries = [sent(1, { recipient: HTML, name: HTML, meaning: HTML, reason: HTML })];
    await show();
    await shows(1);
    assert.ok(heads()[0]?.includes(HTML));
    await unfold(0);
    await page().sees("The node took it.");
    assert.deepEqual(page().all("img"), []);
  });
});
