import assert from "node:assert/strict";
import { LEGACY_BASIC, rawRequest, sendJson } from "../raw-request";
import { useSimulator } from "../use-simulator";

const GOOD = { recipientAddressList: ["41790000000"], messageContent: "Hello" };

describe("simulator: SMS as a query and as JSON", () => {
  const simulator = useSimulator();

  it("sends by GET and answers as a form", async () => {
    const query = "recipientAddressList=41790000000,41790000001&messageContent=%FC";
    const answer = await rawRequest(`${simulator.url}/rest/smsmessaging/simple?${query}`, {
      method: "GET",
      headers: { authorization: LEGACY_BASIC },
    });
    assert.match(answer.body, /^statusCode=2000&statusMessage=OK&transferId=[0-9a-f]{20}&smsCount=2$/);
    assert.equal(simulator.main.messages[0]?.operation, "sms-get");
    assert.equal(simulator.main.messages[0]?.content, "ü");
  });

  it("takes a thousand recipients by GET", async () => {
    const list = Array.from({ length: 1000 }, (_, index) => 417_900_000_000_000 + index).join(",");
    const query = `recipientAddressList=${list}&messageContent=x`;
    const answer = await rawRequest(`${simulator.url}/rest/smsmessaging/simple?${query}`, {
      method: "GET",
      headers: { authorization: LEGACY_BASIC },
    });
    assert.match(answer.body, /^statusCode=2001&.*&smsCount=1000$/);
  });

  it("refuses a body with GET", async () => {
    const answer = await rawRequest(`${simulator.url}/rest/smsmessaging/simple`, {
      method: "GET",
      headers: { authorization: LEGACY_BASIC, "content-length": "3" },
      body: "a=b",
    });
    assert.equal(answer.httpStatus, 400);
  });

  it("sends JSON in UTF-8 and answers in JSON", async () => {
    const answer = await sendJson(simulator.url, {
      recipientAddressList: ["41790000000", "+41790000001"],
      messageContent: "€ 🙂",
      clientMessageId: "Küche",
      sendAsFlashSms: true,
      priority: 1,
    });
    assert.equal(answer.headers["content-type"], "application/json;charset=UTF-8");
    const [message] = simulator.main.messages;
    assert.deepEqual(JSON.parse(Buffer.from(answer.body, "latin1").toString()), {
      statusCode: 2000,
      statusMessage: "OK",
      clientMessageId: "Küche",
      transferId: message?.transferId,
      smsCount: 2,
    });
    assert.equal(message?.content, "€ 🙂");
    assert.equal(message?.channel, "flash");
    assert.equal(message?.operation, "sms-json");
  });

  it("answers 401 in JSON", async () => {
    const answer = await sendJson(simulator.url, GOOD, { authorization: "Bearer wrong" });
    assert.equal(answer.httpStatus, 401);
    assert.equal(JSON.parse(answer.body).statusCode, 4001);
  });

  const bare: Record<string, [number, unknown, Record<string, string>?]> = {
    "another content type": [415, GOOD, { "content-type": "text/json" }],
    "another character set": [415, GOOD, { "content-type": "application/json; charset=ISO-8859-1" }],
    "a caller that takes no JSON": [406, GOOD, { accept: "text/html, application/json;q=0" }],
    "a caller that does not say it takes JSON": [406, GOOD, { accept: "" }],
    "what is not JSON": [400, "{"],
    "a byte order mark": [400, `\ufeff${JSON.stringify(GOOD)}`],
    "JSON that is no object": [400, "[]"],
  };
  for (const [name, [httpStatus, body, headers]] of Object.entries(bare)) {
    it(`${httpStatus} for ${name}`, async () => {
      const answer = await sendJson(simulator.url, body, headers);
      assert.equal(answer.httpStatus, httpStatus);
      assert.ok(answer.headers["x-simulator-reason"]);
      assert.equal(simulator.main.messages.length, 0);
    });
  }

  it("refuses bytes that are not UTF-8", async () => {
    const answer = await rawRequest(`${simulator.url}/rest/smsmessaging/text`, {
      headers: { authorization: LEGACY_BASIC, "content-type": "application/json", accept: "*/*" },
      body: '{"messageContent":"\xfc"}',
    });
    assert.equal(answer.httpStatus, 400);
  });

  it("refuses parameters in the query of the JSON endpoint", async () => {
    const answer = await rawRequest(`${simulator.url}/rest/smsmessaging/text?messageContent=x`, {
      headers: { authorization: LEGACY_BASIC, "content-type": "application/json", accept: "*/*" },
      body: JSON.stringify(GOOD),
    });
    assert.equal(answer.httpStatus, 400);
  });
});
