import assert from "node:assert/strict";
import { hearLate, LateAnswers } from "../../../../lib/runtime/waits/late-answers";
import type { HeardEvent } from "../../../../lib/runtime/memory/waits/by-request";

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

  const event = (more: Partial<HeardEvent>): HeardEvent => ({
    number: NUMBER,
    transferId: null,
    clientMessageId: null,
    status: null,
    at: null,
    reply: null,
    ...more,
  });
  const reply = event({
    reply: { channel: "sms", text: "YES" } as unknown as NonNullable<HeardEvent["reply"]>,
  });
  const status = (word: string, ids: Partial<HeardEvent> = { transferId: "t-1" }): HeardEvent =>
    event({ status: word, ...ids });

  it("counts the first reply of somebody whose wait has ended, once", () => {
    hearLate(ACCOUNT, reply);
    assert.equal(came, 0, "nobody was waited for");
    late.expect(NUMBER, { kind: "reply", ...IDS });
    hearLate("another account", reply);
    hearLate(ACCOUNT, { ...reply, number: "41790000002" });
    hearLate(ACCOUNT, status("DELIVERED"));
    assert.equal(came, 0);
    hearLate(ACCOUNT, reply);
    hearLate(ACCOUNT, reply);
    assert.equal(came, 1);
  });

  it("counts the delivery of the message that was waited for", () => {
    late.expect(NUMBER, { kind: "delivered", ...IDS });
    for (const other of [reply, status("SENT"), status("DELIVERED", { transferId: "t-2" })]) {
      hearLate(ACCOUNT, other);
    }
    assert.equal(came, 0);
    hearLate(ACCOUNT, status("READ", { clientMessageId: "c-1" }));
    assert.equal(came, 1);
  });

  it("counts nothing of somebody who is waited for again, nor after its node was closed", () => {
    late.expect(NUMBER, { kind: "reply", ...IDS });
    late.forget(NUMBER);
    hearLate(ACCOUNT, reply);
    late.expect(NUMBER, { kind: "reply", ...IDS });
    late.close();
    hearLate(ACCOUNT, reply);
    assert.equal(came, 0);
  });
});
