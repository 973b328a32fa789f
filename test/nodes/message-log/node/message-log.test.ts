// Slow: each action runs in a flow with a store of its own.
import { NO_GUARD } from "../../../../lib/store/guards/guard-calls";
import { getScope, SIMULATOR } from "../../../../lib/store/schema/scope";
import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import registerLog from "../../../../nodes/message-log/message-log";
import type { LogReport } from "../../../../lib/runtime/report/log-report";
import type { LogRecord } from "../../../../nodes/message-log/runtime/log-answer";
import type { Language } from "../../../../lib/texts/catalogues";
import { deliveryText } from "../../../../lib/runtime/store/history/message-record";
import { say } from "../../../../lib/texts/say";
import { answered, newEvent, takeJob } from "../../../unit/store/suite/store-under-test";
import { useFolder } from "../../../unit/store/use-folder";
import { fillStore } from "../../../support/fill-store";
import { assertShortGerman, errorOf, HOSTILE } from "../../../node/answering-node";
import {
  ACCOUNT,
  type Config,
  resultOf,
  SENDER,
  startFlow,
  stopFlow,
  stopServer,
  type TestFlow,
} from "../../../node/flow";

const HOUR = 3_600_000;
const FOUND = 0;
const NOT_FOUND = 1;
const OUTCOME = { kind: "search", outcome: "payload", outcomeSource: "msg" };
const LIMIT = { kind: "search", limit: "payload", limitSource: "msg" };

const ANSWER = JSON.stringify({
  statusCode: 2000,
  statusName: "OK",
  statusMessage: "The service accepted the request and sent it on.",
  advice: "Nothing to do.",
  httpStatus: 200,
  source: "service",
  smsCount: 1,
});
const GUARD = { ...NO_GUARD, destination: SIMULATOR };

type Answer = NodeMessage & { readonly payload: unknown; readonly more?: boolean };
const recordsOf = (msg: NodeMessage | undefined): readonly LogRecord[] => (msg as Answer).payload as never;

/** Four messages: a list of two, a rejected one, one that was leaving when the process ended, one of another account. */
async function fill(folder: string): Promise<void> {
  await fillStore(folder, async ({ store, clock, me, instances }) => {
    const now = clock.time;
    const of = { account: ACCOUNT, destination: SIMULATOR, resultOwner: me, channel: "SMS" };
    clock.time = now - 50 * HOUR;
    const [list = 0] = await takeJob(
      store,
      [{ recipients: ["41790000001", "41790000002"], clientMessageId: "offer" }],
      { ...of, node: "n1" },
    );
    await store.claims.claim(ACCOUNT, me, 1, "", GUARD);
    await store.settlements.settle(me, [answered(list, { transferId: "t1", answer: ANSWER, emitted: true })]);
    clock.pass(1_000);
    const report = (number: string, status: string) =>
      newEvent({ transferId: "t1", number, status, at: clock.time });
    await store.deliveries.note(getScope(ACCOUNT, true), [
      report("41790000001", "delivered"),
      report("41790000002", "failed"),
      newEvent({ kind: "inbound", number: "41790000001", status: null, at: clock.time + 1_000, body: "{}" }),
    ]);
    clock.time = now - 2 * HOUR;
    const [rejected = 0] = await takeJob(
      store,
      [{ recipients: ["41790000001"], clientMessageId: "reminder", person: "7 Änne Müller" }],
      { ...of, node: "n2" },
    );
    await store.claims.claim(ACCOUNT, me, 1, "", GUARD);
    await store.settlements.settle(me, [
      answered(rejected, { outcome: "rejected", answer: '{"statusCode":4031}', emitted: true }),
    ]);
    clock.time = now - HOUR;
    await takeJob(store, [{ recipients: ["41790000003"], clientMessageId: "lost" }], { ...of, node: "n1" });
    await store.claims.claim(ACCOUNT, me, 1, "", GUARD);
    await takeJob(store, [{ recipients: ["41790000001"], clientMessageId: "offer" }], {
      ...of,
      account: "other",
    });
    await instances.leave();
  });
}

describe("message-log", () => {
  const folder = useFolder();
  afterEach(stopFlow);
  after(stopServer);

  const start = (config: Config, account: Config = {}, language: Language = "en-US"): Promise<TestFlow> =>
    startFlow({
      language,
      account: { keepMessages: "computer", storeFolder: folder(), ...account },
      sender: { type: "messaging-message-log", ...config },
      register: [registerLog],
    });

  /** Asks once. @returns the message and the output that it left by */
  async function ask(config: Config, msg: Record<string, unknown> = {}): Promise<[number, Answer]> {
    await fill(folder());
    const flow = await start(config);
    flow.send(msg);
    await Promise.race([flow.completed.until(1), flow.caught.until(1)]);
    assert.deepEqual(flow.caught.messages, []);
    const [found] = await flow.all.until(1);
    const port = flow.ports.findIndex(({ messages }) => messages.length > 0);
    return [port, found as Answer];
  }

  it("finds a message by its clientMessageId, with a record and a timeline for each recipient", async () => {
    const [port, msg] = await ask({ kind: "id" }, { payload: "offer", topic: "kept" });
    assert.equal(port, FOUND);
    assert.equal(msg.topic, "kept");
    assert.equal(msg.more, undefined);
    const [first, second, ...others] = recordsOf(msg);
    assert.deepEqual(others, [], "of the other account nothing may be found");
    assert.deepEqual(
      [first?.recipient, first?.state, first?.outcome, first?.statusName, first?.delivery, first?.simulated],
      ["+41790000001", "done", "sent", "OK", "delivered", true],
    );
    assert.deepEqual([second?.recipient, second?.delivery], ["+41790000002", "failed"]);
    assert.deepEqual(
      first?.timeline?.map(({ kind }) => kind),
      ["queued", "sending", "answered", "delivered", "reply"],
    );
    assert.deepEqual(
      second?.timeline?.map(({ kind }) => kind),
      ["queued", "sending", "answered", "failed"],
    );
  });

  it("sends what is not known to the second output, with an empty list", async () => {
    const [port, msg] = await ask({ kind: "id" }, { payload: "nobody" });
    assert.deepEqual([port, msg.payload], [NOT_FOUND, []]);
  });

  it("names what was under way when Node-RED ended as unknown", async () => {
    const [, msg] = await ask({ kind: "id" }, { payload: "lost" });
    const [record] = recordsOf(msg);
    assert.deepEqual([record?.outcome, record?.settledBy], ["unknown", "process-ended"]);
    assert.match(record!.advice!, /^It may have arrived\. Before sending again/);
    assert.equal(record?.timeline?.at(-1)?.kind, "interrupted");
  });

  it("finds the last message to a number, and the last one before a time", async () => {
    const config = { kind: "number", numberSource: "msg", number: "to" };
    const [, newest] = await ask(config, { to: "+41 79 000 00 01" });
    assert.deepEqual(
      recordsOf(newest).map(({ clientMessageId }) => clientMessageId),
      ["reminder"],
    );
    await stopFlow();
    const before = await start({ ...config, untilSource: "str", until: "1d" });
    before.send({ to: 41790000001 });
    const [older] = await before.all.until(1);
    assert.deepEqual(
      recordsOf(older).map(({ clientMessageId }) => clientMessageId),
      ["offer"],
    );
  });

  it("searches by each field, and says whether there are more than the limit", async () => {
    await fill(folder());
    const search = async (config: Config): Promise<[readonly string[], boolean | undefined]> => {
      const flow = await start({ kind: "search", fromSource: "blank", ...config });
      flow.send({});
      const [msg] = await flow.all.until(1);
      await stopFlow();
      const found = recordsOf(msg).map(
        ({ clientMessageId, recipient }) => `${clientMessageId} ${recipient.at(-1)}`,
      );
      return [found, (msg as Answer).more];
    };
    const all = ["lost 3", "reminder 1", "offer 1", "offer 2"];
    assert.deepEqual(await search({}), [all, false]);
    assert.deepEqual(await search({ limitSource: "num", limit: "3" }), [all.slice(0, 3), true]);
    assert.deepEqual(await search({ limitSource: "num", limit: "4" }), [all, false]);
    const only = async (config: Config) => (await search(config))[0];
    assert.deepEqual(await only({ fromSource: "str", from: "24h" }), ["lost 3", "reminder 1"]);
    assert.deepEqual(await only({ toSource: "str", to: "24h" }), ["offer 1", "offer 2"]);
    assert.deepEqual(await only({ recipientSource: "str", recipient: "+41790000001" }), [
      "reminder 1",
      "offer 1",
    ]);
    assert.deepEqual(await only({ outcomeSource: "choice", outcome: "rejected" }), ["reminder 1"]);
    assert.deepEqual(await only({ senderSource: "str", sender: "n2" }), ["reminder 1"]);
    assert.deepEqual(await only({ personSource: "str", person: "änne m" }), ["reminder 1"]);
    assert.deepEqual(await only({ personSource: "str", person: "7" }), [], "a row is no name");
  });

  it("counts a period by outcome and delivery, into the property that it is told", async () => {
    const [port, msg] = await ask(
      { kind: "report", fromSource: "blank", resultProperty: "report.night" },
      { payload: "kept" },
    );
    assert.equal(port, FOUND);
    assert.equal(msg.payload, "kept");
    const { from, to, steps, ...report } = (msg as unknown as { report: { night: LogReport } }).report.night;
    assert.ok(Math.abs(Date.parse(to) - Date.now()) < HOUR);
    const age = Date.now() - Date.parse(from);
    assert.ok(age > 24 * HOUR && age < 10 * 24 * HOUR, "it begins with the day of the oldest message");
    assert.match(from, /:00:00\.000Z$/);
    assert.equal(
      steps.reduce((sum, { messages }) => sum + messages, 0),
      4,
    );
    assert.equal(
      steps.reduce((sum, { replies }) => sum + replies, 0),
      1,
    );
    assert.deepEqual(report, {
      ...{
        messages: 4,
        segments: 0,
        simulated: 4,
        delivered: 1,
        read: 0,
        failed: 2,
        skipped: 0,
        replies: 1,
        optOuts: 0,
      },
      deliverySeconds: { median: 1, p95: 1 },
      reasons: [
        {
          ...{ statusCode: null, statusName: "failed", count: 1 },
          reason: deliveryText("failed"),
          advice: say("record.advice.undelivered"),
        },
        {
          ...{ statusCode: 4031, statusName: "RECIPIENTS_BLACKLISTED", count: 1 },
          reason: say("outcomes.legacy.4031.meaning"),
          advice: say("outcomes.legacy.4031.advice"),
        },
      ],
      nodes: [
        { node: "n1", messages: 3, segments: 0, simulated: 3, delivered: 1, read: 0, failed: 1, skipped: 0 },
        { node: "n2", messages: 1, segments: 0, simulated: 1, delivered: 0, read: 0, failed: 1, skipped: 0 },
      ],
      byOutcome: {
        sent: 2,
        queued: 0,
        rejected: 1,
        denied: 0,
        "retry-later": 0,
        unknown: 1,
        skipped: 0,
        open: 0,
      },
      byDelivery: { none: 2, delivered: 1, failed: 1 },
      rows: [
        { channel: "SMS", outcome: "sent", delivery: "delivered", count: 1 },
        { channel: "SMS", outcome: "sent", delivery: "failed", count: 1 },
        { channel: "SMS", outcome: "rejected", delivery: "none", count: 1 },
        { channel: "SMS", outcome: "unknown", delivery: "none", count: 1 },
      ],
    });
  });

  it("narrows a report to a channel, an outcome and a node, by hour or day", async () => {
    await fill(folder());
    const reportOf = async (config: Config): Promise<LogReport> => {
      const flow = await start({ kind: "report", ...config });
      flow.send({});
      const [msg] = await flow.all.until(1);
      await stopFlow();
      return (msg as Answer).payload as LogReport;
    };
    const day = await reportOf({});
    assert.deepEqual([day.messages, day.steps.length >= 24], [2, true]);
    const days = await reportOf({ from: "5d", step: "day", stepSource: "choice" });
    assert.deepEqual([days.messages, days.steps.length >= 5 && days.steps.length <= 7], [4, true]);
    const hours = await reportOf({ from: "5d", step: "hour", stepSource: "choice" });
    assert.ok(hours.steps.length >= 120);
    assert.deepEqual(hours.rows, days.rows);
    const count = async (config: Config) => (await reportOf({ fromSource: "blank", ...config })).messages;
    assert.equal(await count({ channel: "sms", channelSource: "str" }), 4);
    assert.equal(await count({ channel: "RCS", channelSource: "choice" }), 0);
    assert.equal(await count({ outcome: "rejected", outcomeSource: "choice" }), 1);
    assert.equal(await count({ sender: "n1", senderSource: "str" }), 3);
  });

  const TALK = { kind: "conversation", number: "from", numberSource: "msg" };
  const SMS = "n-sms";

  /** What is known of a person of whom a message came, after a text and a sensitive one were sent. */
  async function talk(config: Config, account: Config): Promise<TestFlow> {
    await fillStore(folder(), async ({ store, clock, instances }) => {
      const payload = {
        type: "whatsapp",
        applicationId: "x",
        sender: "+41790000001",
        content: "Are you there?",
      };
      clock.pass(-2_000);
      await store.deliveries.note(getScope(ACCOUNT, true), [
        newEvent({ kind: "inbound", number: "41790000001", status: null, body: JSON.stringify(payload) }),
      ]);
      await instances.leave();
    });
    const flow = await startFlow({
      account: { keepMessages: "computer", storeFolder: folder(), ...account },
      sender: { type: "messaging-message-log", ...TALK, ...config },
      register: [registerLog],
      more: [
        { id: SMS, z: "tab", type: "messaging-sms-send", account: ACCOUNT, wires: [[SENDER], [], [], []] },
      ],
    });
    const to = { to: "+41 79 000 00 01", from: "+41 79 000 00 01" };
    flow.node(SMS).receive({ ...to, payload: "Your code is 4711", sensitive: true } as NodeMessage);
    await Promise.race([flow.all.until(1), flow.caught.until(1)]);
    flow.node(SMS).receive({ ...to, payload: "Yes, how can I help?" } as NodeMessage);
    return flow;
  }

  it("reads a conversation as a language model wants it, without what is sensitive", async () => {
    const flow = await talk({}, { keepTexts: true });
    const [first, msg] = await flow.all.until(2);
    assert.deepEqual(
      (first as Answer & { payload: object[] }).payload.map((each) => Object.values(each).slice(0, 2)),
      [
        ["user", "Are you there?"],
        ["assistant", ""],
      ],
    );
    const list = (msg as Answer).payload as readonly Record<string, unknown>[];
    assert.deepEqual(
      list.map(({ at: _at, ...each }) => each),
      [
        { role: "user", content: "Are you there?", channel: "whatsapp", delivery: null, simulated: true },
        { role: "assistant", content: "", channel: "sms", delivery: null, simulated: true },
        {
          role: "assistant",
          content: "Yes, how can I help?",
          channel: "sms",
          delivery: null,
          simulated: true,
        },
      ],
    );
    assert.deepEqual(
      list.map(({ at }) => new Date(String(at)).toISOString()),
      list.map(({ at }) => at).sort(),
    );
    assert.equal((msg as Answer).more, false);
  });

  it("names the setting without which there is no conversation", async () => {
    const flow = await talk({}, {});
    const [error] = await flow.caught.until(1);
    const { code, message } = (error as NodeMessage & { error: { code: string; message: string } }).error;
    assert.equal(code, "TEXTS_NOT_KEPT");
    assert.match(message, /turn on “Keep texts” under “Storage”/);
  });

  it("refuses a wrong field, and keeps numbers out of the log", async () => {
    const report = (more: Config): Config => ({ kind: "report", fromSource: "str", ...more });
    const cases: readonly (readonly [config: Config, payload: unknown, text: RegExp])[] = [
      [{ kind: "id" }, undefined, /“Message id” is set to msg\.payload, which holds no/],
      [{ kind: "id" }, {}, /“Message id” must be a text/],
      [{ kind: "number" }, "+41790000001, +41790000002", /Number must be one phone number/],
      [{ kind: "conversation" }, "Ada", /Number must be one phone number/],
      [report({ from: "2025-06-01" }), "", /From must be a date/],
      [report({ from: "24h", to: "2d", toSource: "str" }), "", /To must be later/],
      [report({ from: "2090-01-01T00:00:00Z" }), "", /From must be before the end of the period/],
      [
        report({ from: "32d", step: "hour", stepSource: "choice" }),
        "",
        /From must be at most 31 days before/,
      ],
      [{ ...report({ from: "24h" }), channel: "letter", channelSource: "str" }, "", /Channel must be one of/],
      [OUTCOME, "toString", /Outcome must be one of/],
      [LIMIT, 0, /“At most” must be a whole number from 1 to 10000, but is 0/],
      [LIMIT, 10_001, /“At most” must be/],
    ];
    for (const [config, payload, text] of cases) {
      const [code, message] = await errorOf(await start(config), { payload });
      assert.match(code, /^FIELD_/);
      assert.match(message, text);
      assert.doesNotMatch(message, /4179000/, "numbers may not reach the log");
      await stopFlow();
    }
  });

  it("says in German, on one short line, what is wrong with values of others", async () => {
    const from = { kind: "report", from: "payload", fromSource: "msg" };
    await assertShortGerman(
      [{ kind: "number" }, from, OUTCOME, { kind: HOSTILE }].map((config) => [
        () => start(config, {}, "de"),
        { payload: HOSTILE },
      ]),
    );
  });

  it("knows what a send node has just sent, with the words of its result", async () => {
    const flow = await startFlow({
      account: { keepMessages: "computer", storeFolder: folder() },
      sender: { type: "messaging-message-log", kind: "id", messageId: "result.clientMessageId" },
      register: [registerLog],
      more: [
        {
          id: "n-sms",
          z: "tab",
          type: "messaging-sms-send",
          account: ACCOUNT,
          wires: [[SENDER], [], [], []],
        },
      ],
    });
    flow.node("n-sms").receive({ to: "+41 79 000 00 01", payload: "Hello" } as NodeMessage);
    const [msg] = await flow.ports[FOUND]!.until(1);
    const [record] = recordsOf(msg);
    const result = resultOf(msg);
    const { outcome, statusCode, statusName, statusMessage, httpStatus, smsCount, source, attempts } = result;
    const { transferId, clientMessageId, operation, simulated } = result;
    const shared = { outcome, statusCode, statusName, statusMessage, httpStatus, smsCount, source, attempts };
    assert.deepEqual(
      { ...record, ...shared, transferId, clientMessageId, operation, simulated },
      record,
      "what both have is the same",
    );
    assert.deepEqual(
      [record?.recipient, record?.channel, record?.node, record?.account, record?.state],
      ["+41790000001", "SMS", "n-sms", ACCOUNT, "done"],
    );
  });
});
