import assert from "node:assert/strict";
import { CREDENTIALS } from "../../../../simulator/sign-in/credentials";
import { basic, FORM, LEGACY_BASIC, rawRequest, sendForm } from "../raw-request";
import { useSimulator } from "../use-simulator";

const GOOD = "recipientAddressList=41790000000&messageContent=Hello";

describe("simulator: SMS as a form", () => {
  const simulator = useSimulator({ maxPriority: 5, queuedAbove: 2 });
  let path: string;

  before(() => {
    path = `${simulator.url}/rest/smsmessaging/simple`;
  });

  it("answers a send in the form's own bytes, what is null left out", async () => {
    const answer = await sendForm(simulator.url, GOOD);
    assert.equal(answer.httpStatus, 200);
    assert.equal(answer.headers["content-type"], "application/x-www-form-urlencoded;charset=ISO-8859-1");
    const [message] = simulator.main.messages;
    assert.match(message?.transferId ?? "", /^[0-9a-f]{20}$/);
    assert.equal(
      answer.body,
      `statusCode=2000&statusMessage=OK&transferId=${message?.transferId}&smsCount=1`,
    );
    assert.deepEqual(message?.recipients, ["41790000000"]);
    assert.equal(message?.content, "Hello");
    assert.equal(message?.operation, "sms-form");
    assert.equal(message?.channel, "sms");
    assert.equal(message?.test, false);
  });

  it("reads and writes ISO-8859-1", async () => {
    const body = "recipientAddressList=41790000000&messageContent=%FC+%2B&clientMessageId=K%FCche+1";
    const answer = await sendForm(simulator.url, body);
    assert.match(answer.body, /&clientMessageId=K%FCche\+1&/);
    assert.equal(simulator.main.messages[0]?.content, "ü +");
    assert.equal(simulator.main.messages[0]?.clientMessageId, "Küche 1");
  });

  it("logs what UTF-8 turns into", async () => {
    await sendForm(simulator.url, "recipientAddressList=41790000000&messageContent=%C3%BC");
    assert.equal(simulator.main.messages[0]?.content, "Ã¼");
  });

  it("takes parameters from the query, with and without a body", async () => {
    const headers = { authorization: LEGACY_BASIC };
    const whole = await rawRequest(`${path}?${GOOD}`, { headers });
    const half = await rawRequest(`${path}?recipientAddressList=41790000000`, {
      headers: { ...headers, "content-type": FORM },
      body: "messageContent=Hello",
    });
    assert.match(whole.body, /^statusCode=2000&/);
    assert.match(half.body, /^statusCode=2000&/);
  });

  it("takes a list joined by commas, repeated, and with plus", async () => {
    const body = "recipientAddressList=41790000001,%2B41790000002&recipientAddressList=41790000003";
    const answer = await sendForm(simulator.url, `${body}&messageContent=x`);
    assert.deepEqual(simulator.main.messages[0]?.recipients, ["41790000001", "+41790000002", "41790000003"]);
    assert.match(answer.body, /^statusCode=2001&.*&smsCount=3$/);
  });

  it("answers 2000 up to the set number of recipients", async () => {
    const answer = await sendForm(
      simulator.url,
      "recipientAddressList=41790000001,41790000002&messageContent=x",
    );
    assert.match(answer.body, /^statusCode=2000&.*&smsCount=2$/);
  });

  it("counts the segments of each recipient", async () => {
    const list = "recipientAddressList=41790000001,41790000002";
    const answer = await sendForm(simulator.url, `${list}&messageContent=${"x".repeat(161)}`);
    assert.match(answer.body, /&smsCount=4$/);
    const voice = await sendForm(
      simulator.url,
      `${list}&messageContent=${"x".repeat(161)}&messageType=voice`,
    );
    assert.match(voice.body, /&smsCount=2$/);
  });

  it("knows flash, voice and test messages", async () => {
    await sendForm(simulator.url, `${GOOD}&sendAsFlashSms=true&test=false`);
    await sendForm(simulator.url, `${GOOD}&messageType=voice`);
    await sendForm(simulator.url, `${GOOD}&messageType=default&sendAsFlashSms=false&test=true`);
    assert.deepEqual(
      simulator.main.messages.map(({ channel, test }) => [channel, test]),
      [
        ["flash", false],
        ["voice", false],
        ["sms", true],
      ],
    );
  });

  describe("authentication", () => {
    const body = GOOD;
    const accepted: Record<string, { url?: string; authorization?: string }> = {
      Basic: { authorization: LEGACY_BASIC },
      Bearer: { authorization: `Bearer ${CREDENTIALS.accessToken}` },
      "token in the query": { url: `?access_token=${CREDENTIALS.accessToken}` },
    };
    for (const [name, { url = "", authorization }] of Object.entries(accepted)) {
      it(`accepts ${name}`, async () => {
        const headers = { "content-type": FORM, ...(authorization ? { authorization } : {}) };
        assert.match((await rawRequest(path + url, { headers, body })).body, /^statusCode=2000&/);
      });
    }
    const refused: Record<string, { url?: string; authorization?: string }> = {
      "no credentials": {},
      "a wrong password": { authorization: basic(CREDENTIALS.username, "wrong") },
      "a wrong user": { authorization: basic("wrong", CREDENTIALS.password) },
      "a wrong token": { authorization: "Bearer wrong" },
      "a wrong token in the query": { url: "?access_token=wrong" },
      "an unknown scheme": { authorization: `Digest ${CREDENTIALS.accessToken}` },
      "the OAuth client": { authorization: basic(CREDENTIALS.clientId, CREDENTIALS.clientSecret) },
      "a password without user": { authorization: `Basic ${btoa(CREDENTIALS.password)}` },
      "an unreadable query": { url: "?access_token=%ZZ" },
    };
    for (const [name, { url = "", authorization }] of Object.entries(refused)) {
      it(`answers 401 and 4001 to ${name}, before anything else is looked at`, async () => {
        const headers = { "content-type": "text/plain", ...(authorization ? { authorization } : {}) };
        const answer = await rawRequest(path + url, { headers, body: "é" });
        assert.equal(answer.httpStatus, 401);
        assert.match(answer.body, /^statusCode=4001&statusMessage=[^&]+&smsCount=0$/);
        assert.equal(answer.headers["www-authenticate"], 'Basic realm="simulator"');
      });
    }
    it("refuses two kinds of credentials at once", async () => {
      const headers = { authorization: LEGACY_BASIC, "content-type": FORM };
      const answer = await rawRequest(`${path}?access_token=${CREDENTIALS.accessToken}`, { headers, body });
      assert.equal(answer.httpStatus, 400);
      assert.match(String(answer.headers["x-simulator-reason"]), /more than one way/);
    });
  });

  describe("bare refusals", () => {
    const cases: Record<string, [number, RegExp, string, Record<string, string>?]> = {
      "another content type": [415, /content type must be/, GOOD, { "content-type": "application/json" }],
      "another character set": [
        415,
        /must be iso-8859-1/,
        GOOD,
        { "content-type": `${FORM}; charset=UTF-8` },
      ],
      "a compressed body": [415, /compressed/, GOOD, { "content-encoding": "gzip" }],
      "raw bytes outside ASCII": [400, /byte 0xFC at offset 50/, `${GOOD.slice(0, -3)}\xfc`],
      "a broken escape": [400, /"%2"/, `${GOOD}%2`],
      "a repeated parameter": [400, /"messageContent" is given 2 times/, `${GOOD}&messageContent=x`],
    };
    for (const [name, [httpStatus, reason, body, headers]] of Object.entries(cases)) {
      it(`${httpStatus} for ${name}`, async () => {
        const answer = await sendForm(simulator.url, body, headers);
        assert.equal(answer.httpStatus, httpStatus);
        assert.match(String(answer.headers["x-simulator-reason"]), reason);
        assert.equal(answer.headers["content-type"], "text/plain;charset=UTF-8");
        assert.equal(simulator.main.messages.length, 0);
        assert.equal(simulator.main.requests[0]?.httpStatus, httpStatus);
      });
    }
    it("400 for a parameter both in query and body", async () => {
      const headers = { authorization: LEGACY_BASIC, "content-type": FORM };
      const answer = await rawRequest(`${path}?messageContent=x`, { headers, body: GOOD });
      assert.equal(answer.httpStatus, 400);
    });
    it("413 for a body above a mebibyte", async () => {
      const answer = await sendForm(simulator.url, `${GOOD}${"x".repeat(1_048_576)}`);
      assert.equal(answer.httpStatus, 413);
      assert.equal(simulator.main.requests[0]?.rawBody, "");
    });
    it("404 for an unknown path, without a status code", async () => {
      const answer = await rawRequest(`${simulator.url}/rest/smsmessaging/../simple`);
      assert.equal(answer.httpStatus, 404);
      assert.deepEqual(Object.keys(JSON.parse(answer.body)), ["statusMessage"]);
    });
    it("405 for a wrong method, with those that are right", async () => {
      const answer = await rawRequest(path, { method: "PUT" });
      assert.equal(answer.httpStatus, 405);
      assert.equal(answer.headers.allow, "POST, GET");
    });
  });
});
