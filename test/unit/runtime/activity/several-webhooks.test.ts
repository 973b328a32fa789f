import assert from "node:assert/strict";
import type { Node, NodeAPI } from "node-red";
import { activityOf } from "../../../../lib/runtime/activity/activity-of";
import { NodeActivity } from "../../../../lib/runtime/activity/node-activity";
import type { SendResult } from "../../../../lib/runtime/channels/send-result";
import type { ReceivedEvent } from "../../../../lib/webhook/receiver-parts";

const NUMBER = "41791234567";
const SENT = {
  operation: "sms-json",
  outcome: "sent",
  recipients: [NUMBER],
  statusCode: 2000,
  statusName: "OK",
  statusMessage: "",
  advice: "",
  transferId: "t1",
  clientMessageId: "c1",
  simulated: false,
} as unknown as SendResult;
const event = (key: string, kind: string, payload: object): ReceivedEvent =>
  ({ key, kind, channel: "sms", payload, optOut: null, sender: NUMBER }) as unknown as ReceivedEvent;
const report = event("r1", "report", { transferId: "t1", deliveryReportMessageStatus: "delivered" });
const reply = (key: string) => event(key, "inbound", { content: "Yes" });

describe("events of an account with several webhooks", () => {
  let RED: NodeAPI;
  let nodes: readonly NodeActivity[];
  beforeEach(() => {
    RED = { comms: { publish: () => {} }, settings: {}, events: {} } as unknown as NodeAPI;
    nodes = ["w1", "w2", "w3"].map((id) => new NodeActivity(RED, { id } as Node, "a1"));
  });
  const tell = (told: ReceivedEvent): void => {
    for (const node of nodes) node.received(told, NUMBER, false);
  };
  const state = () => activityOf(RED).watch();
  const counted = () => {
    const [tally] = state().tallies;
    const chart = (tally?.minutes ?? []).reduce((sum, { received }) => sum + received, 0);
    return [tally?.counters.received, chart];
  };

  it("count once, in chips and chart, and change their message once", () => {
    nodes[0]?.sent(SENT);
    tell(report);
    assert.deepEqual(counted(), [1, 1]);
    tell(reply("e1"));
    assert.deepEqual(counted(), [2, 2]);
    const { entries } = state();
    assert.deepEqual(entries[0]?.progress, { status: "delivered", reached: 1, replies: 1, change: 2 });
    assert.equal(entries.filter(({ result }) => result === "received").length, 3, "each webhook lists it");
  });

  it("count once where they come before their message", () => {
    tell(report);
    nodes[0]?.sent(SENT);
    assert.deepEqual(counted(), [1, 1]);
    const { entries, epoch } = state();
    const sent = entries.find(({ result }) => result === "sent");
    assert.equal(sent?.progress?.reached, 1);
    const steps = activityOf(RED)
      .details(epoch, sent?.id ?? 0, true)
      ?.steps.map(({ what }) => what);
    assert.deepEqual(steps, ["result", "status"]);
    assert.ok(entries.filter(({ result }) => result === "received").every(({ folded }) => folded));
  });

  it("count each where a person writes the same again, and for each account", () => {
    tell(reply("same"));
    tell(reply("same"));
    assert.deepEqual(counted(), [2, 2]);
    new NodeActivity(RED, { id: "w9" } as Node, "a2").received(reply("same"), NUMBER, false);
    assert.deepEqual(
      state().tallies.map(({ counters }) => counters.received),
      [2, 1],
    );
  });

  it("count each where their webhooks have no account", () => {
    const strangers = ["w1", "w2"].map((id) => new NodeActivity(RED, { id } as Node, ""));
    for (const node of strangers) node.received(reply("same"), NUMBER, false);
    assert.deepEqual(counted(), [2, 2]);
  });

  it("count as new again after some minutes, when the webhook that got them may be gone", () => {
    const { now } = Date;
    const [one, two] = nodes;
    try {
      one?.received(reply("same"), NUMBER, false);
      one?.received(reply("same"), NUMBER, false);
      two?.received(reply("same"), NUMBER, false);
      assert.deepEqual(counted(), [2, 2], "a copy");
      Date.now = () => now() + 5 * 60_000;
      two?.received(reply("same"), NUMBER, false);
      assert.deepEqual(counted(), [3, 3]);
    } finally {
      Date.now = now;
    }
  });

  it("are remembered up to a thousand", () => {
    const [one, two] = nodes;
    for (const round of Array(1_001).keys()) one?.received(reply(`e${round}`), NUMBER, false);
    two?.received(reply("e1000"), NUMBER, false);
    assert.equal(counted()[0], 1_001, "a copy");
    two?.received(reply("e0"), NUMBER, false);
    assert.equal(counted()[0], 1_002, "the oldest one is forgotten");
  });
});
