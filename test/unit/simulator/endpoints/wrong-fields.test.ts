import assert from "node:assert/strict";
import { inspect } from "node:util";
import { assertFields, useSimulator } from "../../../support/simulator";
import { OAUTH_SENDERS, type SenderId, SENDERS, type SentFields } from "../../../support/simulator/senders";

const UNKNOWN_MEDIA = "51a51a51-0000-4000-8000-00000000ffff";
const x = (length: number) => "x".repeat(length);
const emoji = (length: number) => "🙂".repeat(length);
const list = (count: number) => Array.from({ length: count }, (_, index) => String(41_790_000_000 + index));
const values = (...all: unknown[]) => ({ localizableParams: all.map((value) => ({ default: value })) });

/** Wrong fields, the code of the answer (null for a bare HTTP 400), what its text says, and another HTTP status. */
type Row = readonly [fields: SentFields, code: number | null, text?: RegExp, httpStatus?: number];

/** A row for each wrong value of a field. */
const bad = (code: number | null, name: string, ...wrong: unknown[]): Row[] =>
  wrong.map((value) => [{ [name]: value }, code]);

const recipientAddressList = { recipientAddressList: undefined };
const SMS_AND_BROADCAST: readonly Row[] = [
  [recipientAddressList, 4019, /: recipientAddressList$/],
  [{ messageContent: undefined }, 4019, /: messageContent$/],
  ...bad(4009, "messageContent", ""),
  ...bad(4040, "contentCategory", "ads"),
  ...bad(4008, "clientMessageId", ""),
  ...bad(4015, "priority", 6),
  ...bad(4041, "validityPeriode", 59, 259_201),
];
const sender = (senderAddressType: string, senderAddress: string) => ({ senderAddressType, senderAddress });

const BAD_PHONES = [undefined, "", "0791234567", "+9995", "+9995550000000001"];
const OAUTH: readonly Row[] = [
  [{ applicationId: undefined }, 4001],
  [{ applicationId: UNKNOWN_MEDIA }, 4001, /applicationId: is not an application of this account$/],
  ...bad(4002, "recipient", ...BAD_PHONES, ["+999555000001"], 999555000001),
  ...bad(4008, "clientMessageId", "", "a\nb"),
];

const ORDER = { templateName: "order_ready", templateLocale: "en_US", ...values("a", "b") };
const badTemplate = (reason: string, ...wrong: [templateName: unknown, templateLocale: unknown][]): Row[] =>
  wrong.map(([templateName, templateLocale]) => {
    return [{ ...ORDER, templateName, templateLocale }, 4028, new RegExp(`: ${reason}`)];
  });
const badParams = (reason: string, ...wrong: unknown[]): Row[] =>
  wrong.map((localizableParams) => {
    return [{ ...ORDER, localizableParams }, 4401, new RegExp(`: localizableParams: ${reason}`)];
  });
const badValues = (reason: string, ...wrong: unknown[][]): Row[] =>
  badParams(reason, ...wrong.map((all) => values(...all).localizableParams));

const REFUSED: Readonly<Record<SenderId, readonly Row[]>> = {
  "sms-form": [
    ...SMS_AND_BROADCAST,
    [{ recipientAddressList: "" }, 4019, /recipientAddressList/],
    ...bad(4009, "messageContent", "x\x82"),
    ...bad(4002, "recipientAddressList", "0041790000000", " 41790000000", "4179", "4179000000000000"),
    ...bad(4002, "recipientAddressList", "4179000000a", "41790000000,"),
    ...bad(4025, "recipientAddressList", list(1001)),
    ...bad(4004, "messageType", "sms"),
    ...bad(4003, "senderAddress", "TwelveLetter", ""),
    [sender("international", "Shop"), 4003],
    ...bad(4015, "priority", 0, 1.5),
    ...bad(4016, "notificationCallbackUrl", "example.org", "ftp://example.org/", "http://["),
    ...bad(4008, "clientMessageId", "a\nb"),
    [{ messageContent: x(161), maxSmsPerMessage: 1 }, 4026],
    // Checked in the order of the description.
    [{ recipientAddressList: "0", priority: 99 }, 4002],
    [{ recipients: 1 }, null, /unknown parameter "recipients"/],
    [{ ...recipientAddressList, messageContent: undefined, x: 1 }, null, /unknown parameter/],
    [{ test: "TRUE" }, null, /test: must be true or false/],
    [{ maxSmsPerMessage: -1 }, null, /maxSmsPerMessage/],
  ],
  "sms-json": [
    [recipientAddressList, 4019, /^Missing parameter: recipientAddressList$/],
    ...bad(4002, "recipientAddressList", "41790000000", [41790000000]),
    ...bad(4019, "recipientAddressList", []),
    ...bad(4009, "messageContent", null, "\ud83d"),
    ...bad(null, "toString", 1),
    ...bad(null, "test", "true"),
  ],
  "whatsapp-broadcast": [
    ...SMS_AND_BROADCAST,
    ...bad(4019, "recipientAddressList", []),
    ...bad(4025, "recipientAddressList", list(1001)),
    ...bad(4002, "recipientAddressList", ["0791234567"]),
    ...bad(4009, "messageContent", x(10_001), emoji(10_001)),
    ...bad(4034, "attachmentId", 1_000_000, "1"),
    ...["maxSmsPerMessage", "messageType", "sendAsFlashSms"].flatMap((name) => bad(null, name, "x")),
    ...["senderAddress", "applicationId"].flatMap((name) => bad(null, name, "x")),
  ],
  "whatsapp-text": [
    ...OAUTH,
    [{ content: undefined }, 4009, /: content: /],
    ...["", x(4097), emoji(4097), null, 7, "a\u0000b", "\ud83d"].map(
      (content): Row => [{ content }, 4028, /: content: /],
    ),
    [{ recipient: "+41790000000" }, 4400, /: recipient: has not written/],
  ],
  "whatsapp-media": [
    ...OAUTH,
    [{ mediaId: UNKNOWN_MEDIA }, 4034, /mediaId: is not known$/, 404],
    ...bad(4034, "mediaId", undefined, "sample.png", "", 7),
    ...bad(4028, "content", x(4097), null),
  ],
  "whatsapp-template": [
    ...OAUTH,
    ...badTemplate("templateName: is missing", [undefined, "de"]),
    ...badTemplate("templateLocale: is missing", ["order_ready", undefined]),
    ...badTemplate(
      "templateName: is not known; this simulator has order_ready, welcome$",
      ["order_gone", "de"],
      ["Order_ready", "de"],
    ),
    ...badTemplate(
      "templateLocale: is not a locale of this template; this simulator has it in en_US, de$",
      ["order_ready", "fr"],
      ["order_ready", "en-US"],
    ),
    ...badParams("0 entries, the template has 2", undefined),
    ...badParams("must be a list of objects", { default: "a" }, null, ["a", "b"]),
    ...badParams("entry 2 must have the one key", [{ default: "a" }, { text: "b" }]),
    ...badParams("entry 1 must have the one key", [{ default: "a", other: "b" }, {}], [{}, { default: "b" }]),
    ...badValues("1 entries, the template has 2", ["a"]),
    ...badValues("entry 1 has a line break", ["a\nb", "c"], ["a\rb", "c"]),
    ...badValues("entry 2 has 1025 characters", ["a", x(1025)]),
  ],
  rcs: OAUTH,
};

const digits15 = { recipient: "+999550000000001", applicationId: "51A51A51-0000-4000-8000-000000000001" };
const OAUTH_ACCEPTED: readonly SentFields[] = [{ recipient: "+99955" }, digits15];

const ACCEPTED: Readonly<Record<SenderId, readonly SentFields[]>> = {
  "sms-form": [
    { recipientAddressList: "41790" },
    { recipientAddressList: "417900000000000" },
    { recipientAddressList: list(1000) },
    { messageContent: "x\r\n\t\f" },
    {
      ...{ contentCategory: "advertisement", maxSmsPerMessage: 0, messageType: "default", priority: 5 },
      ...{ notificationCallbackUrl: "https://example.org/r?a=1", sendAsFlashSms: false, test: false },
      ...{ ...sender("international", "41790000000"), validityPeriode: 259_200, clientMessageId: "a" },
    },
    { validityPeriode: 60 },
    sender("alphanumeric", "ElevenLette"),
    { messageContent: x(161), maxSmsPerMessage: 2 },
  ],
  "sms-json": [{ priority: 1 }],
  "whatsapp-broadcast": [
    { recipientAddressList: list(1000), messageContent: x(10_000), validityPeriode: 259_200 },
    { recipientAddressList: list(1000), messageContent: emoji(10_000), validityPeriode: 259_200 },
  ],
  "whatsapp-text": [
    ...OAUTH_ACCEPTED,
    ...["x", x(4096), emoji(4096), "Grüße €\n"].map((content) => ({ content })),
  ],
  "whatsapp-media": [...OAUTH_ACCEPTED, ...["", x(4096), emoji(4096)].map((content) => ({ content }))],
  "whatsapp-template": [...OAUTH_ACCEPTED, { ...ORDER, ...values(x(1024), emoji(1024)) }],
  rcs: OAUTH_ACCEPTED,
};

describe("simulator: fields of messages", () => {
  const sim = useSimulator({ maxPriority: 5 });
  const shown = (fields: SentFields) =>
    inspect(fields, { breakLength: 1000, maxStringLength: 30, maxArrayLength: 3, depth: 3 });

  for (const id of Object.keys(SENDERS) as SenderId[]) {
    const oauth = (OAUTH_SENDERS as readonly string[]).includes(id);
    describe(id, () => {
      for (const [fields, code, text = /./, httpStatus = oauth || code === null ? 400 : 200] of REFUSED[id]) {
        it(`refuses ${shown(fields)} with ${code ?? "HTTP 400"}`, async () => {
          const own = "clientMessageId" in fields ? {} : { clientMessageId: "order-7" };
          const answer = await sim.send(id, { ...own, ...fields });
          assert.equal(answer.httpStatus, httpStatus);
          assert.equal(sim.main.messages.length, 0);
          assertFields(sim.main.requests.at(-1), { operation: id, httpStatus, statusCode: code });
          if (code === null) {
            assertFields(answer, { type: "text/plain;charset=UTF-8", reason: text });
            return;
          }
          const { statusCode, statusMessage, ...rest } = answer.value;
          assert.equal(statusCode, code);
          assert.match(statusMessage, text);
          const [name = ""] = Object.keys(fields);
          if (oauth && code < 4009) assert.match(statusMessage, new RegExp(`: ${name}: (is|must|has) .`));
          const nulls = id === "sms-form" ? {} : { clientMessageId: null, transferId: null };
          assert.deepEqual(rest, oauth ? {} : { ...nulls, ...own, smsCount: 0 });
        });
      }
      for (const fields of ACCEPTED[id]) {
        it(`accepts ${shown(fields)}`, async () => {
          const { code, body } = await sim.send(id, fields);
          assert.ok(code === 2000 || code === 2001, body);
          assert.equal(sim.main.messages.length, 1);
          if ("content" in fields) assert.equal(sim.main.messages[0]?.content, fields.content);
        });
      }
    });
  }
});
