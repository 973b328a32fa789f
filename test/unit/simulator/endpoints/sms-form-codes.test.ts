import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../../../simulator/index";
import { sendForm } from "../raw-request";

const GOOD = "recipientAddressList=41790000000&messageContent=Hello";

describe("simulator: status codes of the SMS form", () => {
  let simulator: Simulator;

  before(async () => {
    simulator = await startSimulator({ maxPriority: 5 });
  });
  beforeEach(() => simulator.main.reset());
  after(() => simulator.close());

  const to = (recipient: string) => `recipientAddressList=${recipient}&messageContent=x`;
  const list = (count: number) =>
    Array.from({ length: count }, (_, index) => String(41_790_000_000 + index)).join(",");
  const cases: Record<string, [number, string, RegExp?]> = {
    "no recipients": [4019, "messageContent=x", /recipientAddressList/],
    "empty recipients": [4019, to(""), /recipientAddressList/],
    "no content": [4019, "recipientAddressList=41790000000", /messageContent/],
    "recipients before content": [4019, "", /recipientAddressList/],
    "an empty content": [4009, "recipientAddressList=41790000000&messageContent="],
    "a content with a control character": [4009, `${to("41790000000")}%82`],
    "a leading 0": [4002, to("0041790000000")],
    "a plus that became a space": [4002, to("+41790000000")],
    "4 digits": [4002, to("4179")],
    "16 digits": [4002, to("4179000000000000")],
    letters: [4002, to("4179000000a")],
    "a trailing comma": [4002, to("41790000000,")],
    "1001 recipients": [4025, to(list(1001))],
    "an unknown category": [4040, `${GOOD}&contentCategory=Informational`],
    "an unknown type": [4004, `${GOOD}&messageType=sms`],
    "an unknown sender type": [4003, `${GOOD}&senderAddressType=Alphanumeric&senderAddress=Shop`],
    "a long alphanumeric sender": [4003, `${GOOD}&senderAddress=TwelveLetter`],
    "an empty sender": [4003, `${GOOD}&senderAddress=`],
    "a name as an international sender": [4003, `${GOOD}&senderAddressType=international&senderAddress=Shop`],
    "a long short code": [4003, `${GOOD}&senderAddressType=shortcode&senderAddress=123456789`],
    "a name as a national sender": [4003, `${GOOD}&senderAddressType=national&senderAddress=Shop`],
    "a number as a long alphanumeric sender": [
      4003,
      `${GOOD}&senderAddressType=alphanumeric&senderAddress=417900000000`,
    ],
    "priority 0": [4015, `${GOOD}&priority=0`],
    "a priority above the account's": [4015, `${GOOD}&priority=6`],
    "a fractional priority": [4015, `${GOOD}&priority=1.5`],
    "a short validity": [4041, `${GOOD}&validityPeriode=59`],
    "a long validity": [4041, `${GOOD}&validityPeriode=259201`],
    "an empty validity": [4041, `${GOOD}&validityPeriode=`],
    "a callback that is no URL": [4016, `${GOOD}&notificationCallbackUrl=example.org`],
    "a callback by FTP": [4016, `${GOOD}&notificationCallbackUrl=ftp://example.org/`],
    "a callback without a host": [4016, `${GOOD}&notificationCallbackUrl=http://[`],
    "a callback with a blank": [4016, `${GOOD}&notificationCallbackUrl=http://example.org/+`],
    "an empty message id": [4008, `${GOOD}&clientMessageId=`],
    "a message id in two lines": [4008, `${GOOD}&clientMessageId=a%0Ab`],
    "too many segments": [4026, `${to("41790000000")}${"x".repeat(160)}&maxSmsPerMessage=1`],
  };
  for (const [name, [statusCode, body, text]] of Object.entries(cases)) {
    it(`${statusCode} for ${name}`, async () => {
      const answer = await sendForm(simulator.url, body);
      assert.equal(answer.httpStatus, 200);
      const fields = new URLSearchParams(answer.body);
      assert.equal(fields.get("statusCode"), String(statusCode));
      assert.equal(fields.get("smsCount"), "0");
      assert.equal(fields.has("transferId"), false);
      assert.match(fields.get("statusMessage") ?? "", text ?? /./);
      assert.equal(simulator.main.messages.length, 0);
      assert.equal(simulator.main.requests[0]?.statusCode, statusCode);
    });
  }

  const accepted: Record<string, string> = {
    "5 digits": to("41790"),
    "15 digits": to("417900000000000"),
    "1000 recipients": to(list(1000)),
    "lines, a tab and a form feed": `${to("41790000000")}%0D%0A%09%0C`,
    "every optional parameter": `${GOOD}&contentCategory=advertisement&maxSmsPerMessage=0&messageType=default&notificationCallbackUrl=https%3A%2F%2Fexample.org%2Fr%3Fa%3D1&priority=5&sendAsFlashSms=false&senderAddress=41790000000&senderAddressType=international&test=false&validityPeriode=259200&clientMessageId=a`,
    "the shortest validity": `${GOOD}&validityPeriode=60`,
    "an alphanumeric sender": `${GOOD}&senderAddress=ElevenLette&senderAddressType=alphanumeric`,
    "as many segments as allowed": `${to("41790000000")}${"x".repeat(160)}&maxSmsPerMessage=2`,
  };
  for (const [name, body] of Object.entries(accepted)) {
    it(`none for ${name}`, async () => {
      const answer = await sendForm(simulator.url, body);
      assert.match(answer.body, /^statusCode=200[01]&/);
      assert.equal(simulator.main.messages.length, 1);
    });
  }

  it("judges parameters in the order of the description", async () => {
    const answer = await sendForm(simulator.url, `${to("0")}&priority=99&clientMessageId=order-7`);
    const fields = new URLSearchParams(answer.body);
    assert.equal(fields.get("statusCode"), "4002");
    assert.equal(fields.get("clientMessageId"), "order-7");
  });
});
