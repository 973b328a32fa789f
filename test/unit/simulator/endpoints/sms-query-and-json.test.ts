import assert from "node:assert/strict";
import { assertFields, LEGACY_BASIC, SMS_FORM, SMS_JSON, useSimulator } from "../../../support/simulator";

const GOOD = { recipientAddressList: ["41790000000"], messageContent: "Hello" };
const authorization = LEGACY_BASIC;
const JSON_TYPE = "application/json";

describe("simulator: SMS as a query and as JSON", () => {
  const sim = useSimulator();

  it("sends by GET and answers as a form", async () => {
    const query = "recipientAddressList=41790000000,41790000001&messageContent=%FC";
    assertFields(await sim.get(`${SMS_FORM}?${query}`, { authorization }), {
      body: /^statusCode=2000&statusMessage=OK&transferId=[0-9a-f]{20}&smsCount=2$/,
    });
    assertFields(sim.main.messages[0], { operation: "sms-get", content: "ü" });
  });

  it("sends JSON in UTF-8 and answers in JSON", async () => {
    const answer = await sim.json(SMS_JSON, {
      recipientAddressList: ["41790000000", "+41790000001"],
      messageContent: "€ 🙂",
      clientMessageId: "Küche",
      sendAsFlashSms: true,
      priority: 1,
    });
    assert.equal(answer.type, "application/json;charset=UTF-8");
    const [message] = sim.main.messages;
    const { transferId } = message!;
    const result = { statusCode: 2000, statusMessage: "OK", clientMessageId: "Küche" };
    assert.deepEqual(answer.value, { ...result, transferId, smsCount: 2 });
    assertFields(message, { content: "€ 🙂", channel: "flash", operation: "sms-json" });
  });

  it("answers 401 in JSON", async () =>
    assertFields(await sim.json(SMS_JSON, GOOD, "Bearer wrong"), { httpStatus: 401, code: 4001 }));

  for (const accept of ["*/*", "application/*;q=0.1", "application/json, */*;q=0", undefined]) {
    it(`accepts a caller with the header Accept ${accept}`, async () => {
      const headers = { authorization, "content-type": JSON_TYPE, ...(accept !== undefined && { accept }) };
      const answer = await sim.request(SMS_JSON, { headers, body: JSON.stringify(GOOD) });
      assertFields(answer, { httpStatus: 200, code: 2000 });
    });
  }

  const bare: readonly (readonly [number, string, unknown, Record<string, string>?])[] = [
    [415, "another content type", GOOD, { "content-type": "text/json" }],
    [415, "another character set", GOOD, { "content-type": `${JSON_TYPE}; charset=ISO-8859-1` }],
    [406, "a caller that takes no JSON", GOOD, { accept: "text/html, application/json;q=0" }],
    [406, "a caller that takes anything but JSON", GOOD, { accept: "*/*, application/json;q=0" }],
    [400, "what is not JSON", "{"],
    [400, "a byte order mark", `\ufeff${JSON.stringify(GOOD)}`],
    [400, "JSON that is no object", "[]"],
  ];
  for (const [httpStatus, name, body, headers] of bare) {
    it(`${httpStatus} for ${name}`, async () => {
      assertFields(await sim.json(SMS_JSON, body, authorization, headers), { httpStatus, reason: /./ });
      assert.equal(sim.main.messages.length, 0);
    });
  }
});
