import assert from "node:assert/strict";
import { CREDENTIALS } from "../../../../simulator/sign-in/credentials";
import { assertFields, pluck, useSimulator } from "../../../support/simulator";
import { basic, CLIENT_BASIC, FORM, LEGACY_BASIC, SMS_FORM } from "../../../support/simulator/service-client";

const GOOD = "recipientAddressList=41790000000&messageContent=Hello";
const { accessToken, username, password } = CREDENTIALS;

describe("simulator: SMS as a form", () => {
  const sim = useSimulator({ maxPriority: 5, queuedAbove: 2 });
  const request = (query: string, headers: Record<string, string>, body?: string) =>
    sim.request(SMS_FORM + query, { headers, ...(body === undefined ? {} : { body }) });

  it("answers a send as a form without absent values", async () => {
    const answer = await sim.form(GOOD);
    const [message] = sim.main.messages;
    assertFields(answer, {
      httpStatus: 200,
      type: "application/x-www-form-urlencoded;charset=ISO-8859-1",
      body: `statusCode=2000&statusMessage=OK&transferId=${message?.transferId}&smsCount=1`,
    });
    assertFields(message, { transferId: /^[0-9a-f]{20}$/, recipients: ["41790000000"], content: "Hello" });
    assertFields(message, { operation: "sms-form", channel: "sms", test: false });
  });

  it("reads and writes ISO-8859-1", async () => {
    const body = "recipientAddressList=41790000000&messageContent=%FC+%2B&clientMessageId=K%FCche+1";
    assert.match((await sim.form(body)).body, /&clientMessageId=K%FCche\+1&/);
    assertFields(sim.main.messages[0], { content: "ü +", clientMessageId: "Küche 1" });
  });

  it("accepts a list with commas, repetitions and plus", async () => {
    const body = "recipientAddressList=41790000001,%2B41790000002&recipientAddressList=41790000003";
    assertFields((await sim.form(`${body}&messageContent=x`)).value, { statusCode: 2001, smsCount: 3 });
    assert.deepEqual(sim.main.messages[0]?.recipients, ["41790000001", "+41790000002", "41790000003"]);
  });

  it("counts the segments of each recipient", async () => {
    const long = { messageContent: "x".repeat(161) };
    assert.equal((await sim.sms("41790000001,41790000002", long)).value.smsCount, 4);
    const voice = { ...long, messageType: "voice" };
    assert.equal((await sim.sms("41790000001,41790000002", voice)).value.smsCount, 2);
  });

  it("accepts flash, voice and test messages", async () => {
    await sim.form(`${GOOD}&sendAsFlashSms=true&test=false`);
    await sim.form(`${GOOD}&messageType=voice`);
    await sim.form(`${GOOD}&messageType=default&sendAsFlashSms=false&test=true`);
    assert.deepEqual(pluck(sim.main.messages, "channel"), ["flash", "voice", "sms"]);
    assert.deepEqual(pluck(sim.main.messages, "test"), [false, false, true]);
  });

  describe("authentication", () => {
    type Credentials = readonly [name: string, headers: Record<string, string>, query?: string];
    const accepted: readonly Credentials[] = [
      ["Basic", { authorization: LEGACY_BASIC }],
      ["Bearer", { authorization: `Bearer ${accessToken}` }],
      ["token in the query", {}, `?access_token=${accessToken}`],
    ];
    for (const [name, headers, query = ""] of accepted)
      it(`accepts ${name}`, async () =>
        assert.equal((await request(query, { "content-type": FORM, ...headers }, GOOD)).code, 2000));

    const refused: readonly Credentials[] = [
      ["no credentials", {}],
      ["a wrong password", { authorization: basic(username, "wrong") }],
      ["a wrong user", { authorization: basic("wrong", password) }],
      ["a wrong token", { authorization: "Bearer wrong" }],
      ["a wrong token in the query", {}, "?access_token=wrong"],
      ["an unknown scheme", { authorization: `Digest ${accessToken}` }],
      ["the OAuth client", { authorization: CLIENT_BASIC }],
      ["a password without user", { authorization: `Basic ${btoa(password)}` }],
      ["an unreadable query", {}, "?access_token=%ZZ"],
    ];
    for (const [name, headers, query = ""] of refused) {
      it(`answers 401 and 4001 to ${name}, before anything else is looked at`, async () => {
        assertFields(await request(query, { "content-type": "text/plain", ...headers }, "é"), {
          httpStatus: 401,
          body: /^statusCode=4001&statusMessage=[^&]+&smsCount=0$/,
          challenge: 'Basic realm="simulator"',
        });
      });
    }

    it("refuses two kinds of credentials at once", async () => {
      const headers = { authorization: LEGACY_BASIC, "content-type": FORM };
      const answer = await request(`?access_token=${accessToken}`, headers, GOOD);
      assertFields(answer, { httpStatus: 400, reason: /more than one way/ });
    });
  });

  describe("bare refusals", () => {
    const json = { "content-type": "application/json" };
    const utf8 = { "content-type": `${FORM}; charset=UTF-8` };
    const cases: readonly (readonly [number, string, RegExp, string, Record<string, string>?])[] = [
      [415, "another content type", /content type must be/, GOOD, json],
      [415, "another character set", /must be iso-8859-1/, GOOD, utf8],
      [415, "a compressed body", /compressed/, GOOD, { "content-encoding": "gzip" }],
      [400, "raw bytes outside ASCII", /byte 0xFC at offset 50/, `${GOOD.slice(0, -3)}\xfc`],
      [400, "a broken escape", /"%2"/, `${GOOD}%2`],
      [400, "a repeated parameter", /"messageContent" is given 2 times/, `${GOOD}&messageContent=x`],
    ];
    for (const [httpStatus, name, reason, body, headers] of cases) {
      it(`${httpStatus} for ${name}`, async () => {
        assertFields(await sim.form(body, headers), { httpStatus, reason, type: "text/plain;charset=UTF-8" });
        assert.equal(sim.main.messages.length, 0);
        assert.equal(sim.main.requests[0]?.httpStatus, httpStatus);
      });
    }
    it("413 for a body above a mebibyte", async () => {
      assert.equal((await sim.form(`${GOOD}${"x".repeat(1_048_576)}`)).httpStatus, 413);
      assert.equal(sim.main.requests[0]?.rawBody, "");
    });
    it("404 for an unknown path, without a status code", async () => {
      const { httpStatus, value } = await sim.request("/rest/smsmessaging/../simple");
      assert.deepEqual([httpStatus, Object.keys(value)], [404, ["statusMessage"]]);
    });
    it("405 for a wrong method, with those that are right", async () => {
      const { httpStatus, headers } = await sim.request(SMS_FORM, { method: "PUT" });
      assert.deepEqual([httpStatus, headers.allow], [405, "POST, GET"]);
    });
  });
});
