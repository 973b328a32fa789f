import assert from "node:assert/strict";
import { askedAgain, reportLate, LateAnswers } from "../../../../lib/runtime/waits/late-answers";
import type { ReportedEvent } from "../../../../lib/runtime/memory/waits/by-request";

const ACCOUNT = "late-account";
const NUMBER = "41790000001";
const IDS = { transferId: "t-1", clientMessageId: "c-1" };

describe("LateAnswers", () => {
  let came = 0;
  let late: LateAnswers;
  beforeEach(() => {
    came = 0;
    late = new LateAnswers(ACCOUNT, () => came++);
  });
  afterEach(() => late.close());

  const event = (more: Partial<ReportedEvent>): ReportedEvent => ({
    number: NUMBER,
    transferId: null,
    clientMessageId: null,
    status: null,
    at: null,
    reply: null,
    ...more,
  });
  const replyOf = (text: string, channel: "sms" | "whatsapp" = "sms"): ReportedEvent =>
    event({ reply: { channel, application: "", body: JSON.stringify({ textMessageContent: text }) } });
  const reply = replyOf("YES");
  const status = (word: string, ids: Partial<ReportedEvent> = { transferId: "t-1" }): ReportedEvent =>
    event({ status: word, ...ids });

  it("counts the first reply of somebody whose wait has ended, once", () => {
    reportLate(ACCOUNT, reply);
    assert.equal(came, 0, "nobody was waited for");
    late.expect(NUMBER, { kind: "reply", channel: "sms", ...IDS });
    reportLate("another account", reply);
    reportLate(ACCOUNT, { ...reply, number: "41790000002" });
    reportLate(ACCOUNT, status("DELIVERED"));
    assert.equal(came, 0);
    reportLate(ACCOUNT, reply);
    reportLate(ACCOUNT, reply);
    assert.equal(came, 1);
  });

  it("counts no reply by a channel that the wait did not listen to", () => {
    for (const [channel, count] of [
      ["whatsapp", 0],
      ["sms", 1],
      ["any", 1],
    ] as const) {
      came = 0;
      late.expect(NUMBER, { kind: "reply", channel, ...IDS });
      reportLate(ACCOUNT, reply);
      assert.equal(came, count, channel);
    }
  });

  it("does not count the reply that ended the wait when it comes again, but the next one", () => {
    late.expect(NUMBER, { kind: "reply", channel: "sms", ...IDS }, { textMessageContent: "perhaps" });
    reportLate(ACCOUNT, replyOf("perhaps"));
    reportLate(ACCOUNT, replyOf("perhaps"));
    assert.equal(came, 0);
    reportLate(ACCOUNT, reply);
    assert.equal(came, 1);
  });

  it("counts the delivery of the message that was waited for", () => {
    late.expect(NUMBER, { kind: "delivered", channel: "any", ...IDS });
    for (const other of [reply, status("SENT"), status("DELIVERED", { transferId: "t-2" })]) {
      reportLate(ACCOUNT, other);
    }
    assert.equal(came, 0);
    reportLate(ACCOUNT, status("READ", { clientMessageId: "c-1" }));
    assert.equal(came, 1);
  });

  it("counts nothing of somebody whom another node asks by the same channel, but a delivery", () => {
    const asked = (kind: "reply" | "delivered", channel: "sms" | "whatsapp" | "any"): void => {
      came = 0;
      late.expect(NUMBER, { kind, channel: "sms", ...IDS });
      askedAgain("another account", NUMBER, channel);
      askedAgain(ACCOUNT, "41790000002", channel);
      askedAgain(ACCOUNT, NUMBER, channel);
    };
    for (const [channel, count] of [
      ["sms", 0],
      ["any", 0],
      ["whatsapp", 1],
    ] as const) {
      asked("reply", channel);
      reportLate(ACCOUNT, reply);
      assert.equal(came, count, channel);
    }
    asked("delivered", "sms");
    reportLate(ACCOUNT, status("DELIVERED"));
    assert.equal(came, 1);
  });

  it("counts nothing of somebody who is waited for again, nor after its node was closed", () => {
    late.expect(NUMBER, { kind: "reply", channel: "sms", ...IDS });
    late.forget(NUMBER);
    reportLate(ACCOUNT, reply);
    late.expect(NUMBER, { kind: "reply", channel: "sms", ...IDS });
    late.close();
    reportLate(ACCOUNT, reply);
    assert.equal(came, 0);
  });
});
