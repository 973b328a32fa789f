import assert from "node:assert/strict";
import { connect } from "node:net";
import { type FaultRule, startSimulator } from "../../../../simulator/index";
import { rawSend, sendForm, sendJson, until } from "../raw-request";
import { useSimulator } from "../use-simulator";

describe("simulator: fault plan", () => {
  const simulator = useSimulator();
  const send = (recipients = "41790000000", content = "Hello") =>
    sendForm(simulator.url, `recipientAddressList=${recipients}&messageContent=${content}`);
  const codeOf = async (answer: ReturnType<typeof send>) =>
    Number(new URLSearchParams((await answer).body).get("statusCode"));

  it("applies a rule once, skips first, or for ever", async () => {
    const id = simulator.main.addFault({ skip: 1, answer: { statusCode: 4023 } });
    assert.deepEqual([await codeOf(send()), await codeOf(send()), await codeOf(send())], [2000, 4023, 2000]);
    assert.deepEqual(simulator.main.requests[1]?.fault, { id, kind: "statusCode 4023" });
    simulator.main.addFault({ times: 2, answer: { statusCode: 5003 } });
    simulator.main.addFault({ times: 0, answer: { statusCode: 5000 } });
    assert.deepEqual(
      [await codeOf(send()), await codeOf(send()), await codeOf(send()), await codeOf(send())],
      [5003, 5003, 5000, 5000],
    );
    simulator.main.clearFaults();
    assert.equal(await codeOf(send()), 2000);
  });

  it("goes by operation, recipient and content, exact or by prefix", async () => {
    simulator.main.addFault({ operation: "sms-json", times: 0, answer: { statusCode: 4021 } });
    simulator.main.addFault({ recipient: "+41790000007", times: 0, answer: { statusCode: 4022 } });
    simulator.main.addFault({ recipient: "49*", times: 0, answer: { statusCode: 4014 } });
    simulator.main.addFault({ content: "Hello*", times: 0, answer: { statusCode: 4027 } });
    simulator.main.addFault({ content: "Bye", times: 0, answer: { statusCode: 4031 } });
    const json = await sendJson(simulator.url, {
      recipientAddressList: ["41790000000"],
      messageContent: "x",
    });
    assert.equal(JSON.parse(json.body).statusCode, 4021);
    assert.equal(await codeOf(send("41790000001,41790000007", "x")), 4022);
    assert.equal(await codeOf(send("%2B4915100000000", "x")), 4014);
    assert.equal(await codeOf(send("41790000000", "Hello+you")), 4027);
    assert.equal(await codeOf(send("41790000000", "Bye")), 4031);
    assert.equal(await codeOf(send("41790000000", "Bye+bye")), 2000);
  });

  it("has precedence over faulty recipients and leaves refused requests alone", async () => {
    simulator.main.addFault({ answer: { statusCode: 4035 } });
    assert.equal(await codeOf(send("0")), 4002);
    assert.equal(await codeOf(send("999004031")), 4035);
    assert.equal(await codeOf(send("999004031")), 4031);
  });

  it("shapes an answer with a code", async () => {
    const answer = {
      statusCode: 4999,
      statusMessage: "Größe €",
      httpStatus: 429,
      retryAfter: 7,
      smsCount: 3,
    };
    simulator.main.addFault({ answer });
    const given = await send();
    assert.equal(given.httpStatus, 429);
    assert.equal(given.headers["retry-after"], "7");
    assert.equal(given.body, "statusCode=4999&statusMessage=Gr%F6%DFe+%3F&smsCount=3");
  });

  it("accepts a message although it answers a failure, and the other way round", async () => {
    simulator.main.addFault({ answer: { statusCode: 5000, accept: true } });
    simulator.main.addFault({ answer: { httpStatus: 502, accept: true } });
    simulator.main.addFault({ answer: { statusCode: 2000, accept: false } });
    assert.equal(await codeOf(send()), 5000);
    assert.deepEqual(
      simulator.main.messages.map(({ statusCode }) => statusCode),
      [5000],
    );
    assert.equal((await send()).httpStatus, 502);
    assert.equal(simulator.main.messages.length, 2);
    assert.match((await send()).body, /transferId=[0-9a-f]{20}/);
    assert.equal(simulator.main.messages.length, 2);
  });

  it("answers bare", async () => {
    const answer = { httpStatus: 503, body: "<p>", contentType: "text/html", headers: { "x-proxy": "yes" } };
    simulator.main.addFault({ answer });
    const given = await send();
    assert.deepEqual([given.httpStatus, given.body], [503, "<p>"]);
    assert.equal(given.headers["content-type"], "text/html");
    assert.equal(given.headers["x-proxy"], "yes");
  });

  it("accepts before a delay, and answers after it", async () => {
    simulator.main.addFault({ answer: { statusCode: 2000, delayMs: 60 } });
    const start = performance.now();
    const pending = send();
    await until(() => simulator.main.messages.length === 1);
    assert.equal(simulator.main.requests[0]?.httpStatus, null);
    assert.match((await pending).body, /^statusCode=2000&/);
    assert.ok(performance.now() - start >= 59);
    assert.equal(simulator.main.requests[0]?.httpStatus, 200);
  });

  it("forgets a delayed answer when the caller leaves", async () => {
    const finished: (number | null)[] = [];
    const own = await startSimulator({ onRequest: ({ httpStatus }) => finished.push(httpStatus) });
    own.main.addFault({ answer: { statusCode: 2000, delayMs: 3_600_000 } });
    const socket = connect(own.port, "127.0.0.1");
    socket.write(rawSend("41790000000"));
    await until(() => own.main.messages.length === 1);
    socket.destroy();
    await until(() => finished.length === 1);
    assert.deepEqual(finished, [null]);
    await own.close();
  });

  const wrong: Record<string, [unknown, RegExp]> = {
    "no rule": [null, /must be an object/],
    "no answer": [{}, /answer is missing/],
    "an empty answer": [{ answer: {} }, /needs one of/],
    "an unknown field": [{ answer: { statusCode: 1 }, recipients: "x" }, /unknown field recipients/],
    "an inherited name": [{ answer: { statusCode: 1 }, toString: "x" }, /unknown field toString/],
    "an unknown fault": [{ answer: { connection: "slow" } }, /connection is not valid/],
    "two kinds of answer": [{ answer: { connection: "stall", statusCode: 1 } }, /unknown field statusCode/],
    "an informational status": [{ answer: { httpStatus: 100 } }, /httpStatus is not valid/],
    "a negative count": [{ answer: { statusCode: 1 }, times: -1 }, /times is not valid/],
    "a header in two lines": [
      { answer: { httpStatus: 500, headers: { a: "b\r\nc" } } },
      /headers is not valid/,
    ],
    "a header that has no name": [
      { answer: { httpStatus: 500, headers: { "": "b" } } },
      /headers is not valid/,
    ],
    "a huge delay": [{ answer: { statusCode: 1, delayMs: 2 ** 31 } }, /delayMs is not valid/],
  };
  for (const [name, [rule, message]] of Object.entries(wrong)) {
    it(`refuses ${name}`, () => {
      assert.throws(() => simulator.main.addFault(rule as FaultRule), { name: "TypeError", message });
    });
  }

  it("is limited", () => {
    const rule: FaultRule = { answer: { statusCode: 4023 } };
    for (let count = 0; count < 1000; count += 1) simulator.main.addFault(rule);
    assert.throws(() => simulator.main.addFault(rule), /full/);
  });
});
