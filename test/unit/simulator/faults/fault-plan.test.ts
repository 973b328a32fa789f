import assert from "node:assert/strict";
import type { FaultRule } from "../../../../simulator/index";
import { pluck, useSimulator } from "../../../support/simulator";
import { SMS_JSON } from "../../../support/simulator/service-client";

describe("simulator: fault plan", () => {
  const sim = useSimulator();
  const codeOf = async (to?: string, messageContent = "x") => (await sim.sms(to, { messageContent })).code;
  const codes = async (count: number) => {
    const all: unknown[] = [];
    while (all.length < count) all.push(await codeOf());
    return all;
  };

  it("applies a rule once, skips first, or for ever", async () => {
    const id = sim.main.addFault({ skip: 1, answer: { statusCode: 4023 } });
    assert.deepEqual(await codes(3), [2000, 4023, 2000]);
    assert.deepEqual(sim.main.requests[1]?.fault, { id, kind: "statusCode 4023" });
    sim.main.addFault({ times: 2, answer: { statusCode: 5003 } });
    sim.main.addFault({ times: 0, answer: { statusCode: 5000 } });
    assert.deepEqual(await codes(4), [5003, 5003, 5000, 5000]);
    sim.main.clearFaults();
    assert.equal(await codeOf(), 2000);
  });

  it("matches operation, recipient and content, exactly or by prefix", async () => {
    const rules: readonly (readonly [statusCode: number, when: Partial<FaultRule>])[] = [
      [4021, { operation: "sms-json" }],
      [4022, { recipient: "+41790000007" }],
      [4014, { recipient: "49*" }],
      [4027, { content: "Hello*" }],
      [4031, { content: "Bye" }],
    ];
    for (const [statusCode, when] of rules) sim.main.addFault({ ...when, times: 0, answer: { statusCode } });
    const json = { recipientAddressList: ["41790000000"], messageContent: "x" };
    assert.equal((await sim.json(SMS_JSON, json)).code, 4021);
    assert.equal(await codeOf("41790000001,41790000007"), 4022);
    assert.equal(await codeOf("+4915100000000"), 4014);
    assert.equal(await codeOf("41790000000", "Hello you"), 4027);
    assert.equal(await codeOf("41790000000", "Bye"), 4031);
    assert.equal(await codeOf("41790000000", "Bye bye"), 2000);
  });

  it("precedes faulty recipients and ignores refused requests", async () => {
    sim.main.addFault({ answer: { statusCode: 4035 } });
    assert.equal(await codeOf("0"), 4002);
    assert.equal(await codeOf("999004031"), 4035);
    assert.equal(await codeOf("999004031"), 4031);
  });

  it("accepts a message although it answers a failure, and the other way round", async () => {
    sim.main.addFault({ answer: { statusCode: 5000, accept: true } });
    sim.main.addFault({ answer: { httpStatus: 502, accept: true } });
    sim.main.addFault({ answer: { statusCode: 2000, accept: false } });
    assert.equal(await codeOf(), 5000);
    assert.deepEqual(pluck(sim.main.messages, "statusCode"), [5000]);
    assert.equal((await sim.sms()).httpStatus, 502);
    assert.equal(sim.main.messages.length, 2);
    assert.match((await sim.sms()).body, /transferId=[0-9a-f]{20}/);
    assert.equal(sim.main.messages.length, 2);
  });
});
