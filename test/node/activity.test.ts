import assert from "node:assert/strict";
import { activityOf } from "../../lib/runtime/activity/activity-of";
import {
  ACTIVITY_TOPIC,
  type ActivityEntry,
  type ActivityState,
  type RunningSend,
} from "../../lib/shared/activity";
import { waitFor } from "../support/wait-for";
import { deliveryReport, inboundMessage, inboundSms } from "../support/http/webhook-events";
import { ACCOUNT } from "./flow";
import { PATH, post, SECRET, useWebhook, WEBHOOK, type WebhookFlow } from "./webhook/webhook-flow";

const SENDER = "n-whatsapp";
const TEXT = "Dear Ms Miller, your code is 4711";
const PASSWORD = "s3cret-Passw0rd";

describe("activity of a running flow", () => {
  const webhook = useWebhook();
  let flow: WebhookFlow;
  /** What everybody hears who has the editor open, also without the right to see flows. */
  const told: unknown[] = [];
  const note = ({ topic, data }: { topic: string; data: unknown }): void => {
    if (topic === ACTIVITY_TOPIC) told.push(structuredClone(data));
  };
  const state = (): ActivityState => activityOf(flow.RED).watch();
  const seen = (): readonly ActivityEntry[] => activityOf(flow.RED).watch().entries;

  const start = async (kind: "broadcast" | "text" = "text"): Promise<void> => {
    flow = await webhook.start({
      more: [
        { id: ACCOUNT, type: "messaging-account", service: "simulator", keepMessages: "memory" },
        {
          id: SENDER,
          z: "tab",
          type: "whatsapp-send",
          kind,
          account: ACCOUNT,
          outputs: 4,
          wires: [["sent"], ["sent"], ["sent"], ["sent"]],
        },
        { id: "sent", z: "tab", type: "helper" },
      ],
      moreCredentials: { [ACCOUNT]: { username: "some-user", password: PASSWORD } },
    });
    activityOf(flow.RED).clear();
    flow.RED.events.on("comms", note);
    activityOf(flow.RED).watch();
    told.length = 0;
  };
  afterEach(() => void flow.RED.events.off("comms", note));

  it("shows sent messages and local and remote refusals, marked as simulated, with masked numbers", async () => {
    await start();
    flow.node(SENDER).receive({ to: "41799990001, 4711", payload: TEXT });
    flow.node(SENDER).receive({ to: "+999004001", payload: TEXT });
    await waitFor("three results", () => seen().length === 3);
    const rows = seen().map(({ result, who, code, channel, node, simulated }) => ({
      result,
      who,
      code,
      channel,
      node,
      simulated,
    }));
    for (const row of rows) {
      assert.deepEqual([row.channel, row.node, row.simulated], ["whatsapp", SENDER, true]);
    }
    assert.deepEqual(rows.map(({ who }) => who).sort(), ["+4179…001", "+4…1", "+999…01"]);
    assert.equal(rows.find(({ who }) => who === "+999…01")?.result, "denied");
  });

  it("shows who opted out and in again, with numbers masked", async () => {
    await start();
    await flow.redeploy((node) =>
      node.id === WEBHOOK ? { ...node, optOutWords: true, account: ACCOUNT } : { ...node },
    );
    for (const textMessageContent of ["STOP", "START", "hello"]) {
      await post(flow.url + PATH, inboundSms({ textMessageContent, notificationId: textMessageContent }));
    }
    await waitFor("three rows", () => seen().length === 3);
    assert.deepEqual(
      seen().map(({ result, name, who, channel }) => [result, name, who, channel]),
      [
        ["received", "opted-out", "+4179…001", "sms"],
        ["received", "opted-in", "+4179…001", "sms"],
        ["received", "inbound", "+4179…001", "sms"],
      ],
    );
  });

  it("shows events, duplicates, refusals and events sent back, each with its reason", async () => {
    await start();
    const sms = inboundSms();
    await post(flow.url + PATH, sms);
    await post(flow.url + PATH, inboundMessage());
    await post(flow.url + PATH, deliveryReport());
    for (const content of ["one", "two", "three"]) {
      await post(`${flow.url}/messaging/${WEBHOOK}?secret=wrong-${SECRET}`, inboundMessage({ content }));
    }
    await post(`${flow.url}/messaging/${WEBHOOK}`, sms);
    const refusals = () => activityOf(flow.RED).watch().refusals;
    await waitFor("three rows and two refusals", () => seen().length === 3 && refusals().length === 2);
    assert.deepEqual(
      seen().map(({ result, name, code, who, channel }) => [result, name, code, who, channel]),
      [
        ["received", "inbound", null, "+4179…001", "sms"],
        ["received", "inbound", null, "+4179…001", "whatsapp"],
        ["received", "unrecognised", null, "", "webhook"],
      ],
    );
    assert.deepEqual(
      refusals().map(({ name, code, channel, node, times }) => [name, code, channel, node, times]),
      [
        ["wrong-credentials", 401, "webhook", WEBHOOK, 3],
        ["no-credentials", 401, "webhook", WEBHOOK, 1],
      ],
    );
  });

  it("shows the status of a status event only if it is a known word", async () => {
    flow = await webhook.start({ webhook: { kind: "status" } });
    activityOf(flow.RED).clear();
    await post(flow.url + PATH, deliveryReport());
    await post(flow.url + PATH, deliveryReport());
    await post(
      flow.url + PATH,
      deliveryReport({ notificationId: "2", deliveryReportMessageStatus: `${TEXT}: 41790000001` }),
    );
    // Short enough to pass for a status: whoever may forge events writes what they like.
    const forged = ["Ms Miller pays 4711", "Passw0rd-hunter2", "delivered to Miller", "Miller"];
    for (const [at, word] of forged.entries()) {
      const report = deliveryReport({ notificationId: `f${at}`, deliveryReportMessageStatus: word });
      await post(flow.url + PATH, report);
    }
    await post(
      flow.url + PATH,
      deliveryReport({ notificationId: "3", deliveryReportMessageStatus: "EXPIRED" }),
    );
    await waitFor("eight rows", () => seen().length === 8);
    assert.deepEqual(
      seen().map(({ result, name, status }) => [result, name, status]),
      [
        ["received", "report", "delivered"],
        ["duplicate", "", ""],
        ["received", "report", ""],
        ...forged.map(() => ["received", "report", ""]),
        ["received", "report", "EXPIRED"],
      ],
    );
  });

  it("shows the progress of a send of several requests to its end", async () => {
    await start("broadcast");
    const to = Array.from({ length: 2500 }, (_unused, at) => `4179${1_000_000 + at}`);
    const running: RunningSend[] = [];
    flow.node(SENDER).receive({ to, payload: TEXT });
    await waitFor("three results", () => {
      running.push(...state().running);
      return seen().length === 3;
    });
    await waitFor("the end", () => state().entries.length === 3 && state().runningCount === 0);
    assert.deepEqual(
      seen()
        .map(({ count }) => count)
        .sort(),
      [1000, 1000, 500],
    );
    assert.ok(running.every(({ total, done, node }) => total === 2500 && done <= total && node === SENDER));
  });

  it("publishes no whole number, text or secret", async () => {
    await start();
    const number = "41791234567";
    flow.node(SENDER).receive({ to: `${number}, Miller 12 ${TEXT}`, payload: TEXT });
    await post(flow.url + PATH, inboundSms({ senderAddress: number, textMessageContent: TEXT }));
    await post(flow.url + PATH, inboundMessage({ sender: `${TEXT} ${number}`, type: TEXT, content: TEXT }));
    await post(flow.url + PATH, { [TEXT]: number });
    await waitFor("everything", () => seen().length >= 5);
    await waitFor("the news", () => told.length > 0);
    assert.deepEqual([...new Set(told)], [true], "there is something new, and nothing else");
    const all = JSON.stringify(state());
    assert.ok(all.includes("+4179…567"));
    for (const hidden of [number, number.slice(4, -3), "Miller", "4711", SECRET, PASSWORD, "some-user"]) {
      assert.equal(all.includes(hidden), false, `${hidden} was found`);
    }
  });
});
