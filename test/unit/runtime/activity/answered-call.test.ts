import assert from "node:assert/strict";
import type { Node, NodeAPI } from "node-red";
import { activityOf } from "../../../../lib/runtime/activity/activity-of";
import { NodeActivity } from "../../../../lib/runtime/activity/node-activity";
import type { SendResult } from "../../../../lib/runtime/channels/send-result";
import type { MessageChannel } from "../../../../lib/shared/message-channel";
import type { ReceivedEvent } from "../../../../lib/webhook/receiver-parts";

const NUMBER = "41791234567";
const CALL = {
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

describe("what a person answers to a call that speaks its text", () => {
  let RED: NodeAPI;
  let node: NodeActivity;
  beforeEach(() => {
    RED = { comms: { publish: () => {} }, settings: {}, events: {} } as unknown as NodeAPI;
    node = new NodeActivity(RED, { id: "n1" } as Node, "a1");
  });
  const write = (channel: MessageChannel): void =>
    node.received(
      { key: channel, kind: "inbound", channel, payload: {}, optOut: null } as unknown as ReceivedEvent,
      NUMBER,
      false,
    );
  const replies = (): number => {
    const { entries } = activityOf(RED).watch();
    const call = entries.find(({ result }) => result === "sent");
    assert.equal(call?.channel, "voice");
    return call?.progress?.replies ?? 0;
  };

  it("belongs to it by SMS, and by no other channel", () => {
    node.sent(CALL, { spoken: true });
    write("whatsapp");
    assert.equal(replies(), 0);
    write("sms");
    assert.equal(replies(), 1);
  });

  it("belongs to it also where it was noted before the call", () => {
    const answeredAt = Date.now() - 1_000;
    write("whatsapp");
    write("sms");
    node.sent(CALL, { spoken: true, answeredAt });
    assert.equal(replies(), 1);
  });
});
