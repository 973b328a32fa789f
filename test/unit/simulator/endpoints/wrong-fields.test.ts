import assert from "node:assert/strict";
import { inspect } from "node:util";
import { useSimulator } from "../use-simulator";
import { OAUTH_SENDERS, SENDERS, type SenderId, type SentFields, sendTo } from "./senders";

const UNKNOWN_MEDIA = "51a51a51-0000-4000-8000-00000000ffff";
const x = (length: number) => "x".repeat(length);
const emoji = (length: number) => "🙂".repeat(length);
const list = (count: number) => Array.from({ length: count }, (_, index) => String(41_790_000_000 + index));
const values = (...all: unknown[]) => ({ localizableParams: all.map((value) => ({ default: value })) });

/** Wrong fields, the code of the answer (null for a bare HTTP 400), what its text says, and another HTTP status. */
type Row = readonly [fields: SentFields, code: number | null, text?: RegExp, httpStatus?: number];

const recipientAddressList = { recipientAddressList: undefined };
const SMS_AND_BROADCAST: readonly Row[] = [
  [recipientAddressList, 4019, /: recipientAddressList$/],
  [{ messageContent: undefined }, 4019, /: messageContent$/],
  [{ ...recipientAddressList, messageContent: undefined }, 4019, /: recipientAddressList$/],
  [{ messageContent: "" }, 4009],
  [{ contentCategory: "ads" }, 4040],
  [{ clientMessageId: "" }, 4008],
  [{ priority: 6 }, 4015],
  [{ validityPeriode: 59 }, 4041],
  [{ validityPeriode: 259_201 }, 4041],
];
const sender = (senderAddressType: string, senderAddress: string) => ({ senderAddressType, senderAddress });

const OAUTH: readonly Row[] = [
  [{ applicationId: undefined }, 4001],
  [{ applicationId: "shop" }, 4001, /^Invalid sending application: applicationId: must be a UUID$/],
  [{ applicationId: UNKNOWN_MEDIA }, 4001, /applicationId: is not an application of this account$/],
  ...[undefined, "", "0791234567", "+9995", "+9995550000000001", ["+999555000001"], 999555000001].map(
    (recipient): Row => [{ recipient }, 4002],
  ),
  [{ clientMessageId: "" }, 4008],
  [{ clientMessageId: "a\nb" }, 4008],
];

const ORDER = { templateName: "order_ready", templateLocale: "en_US", ...values("a", "b") };
const template = (templateName: unknown, templateLocale: unknown) => ({
  ...ORDER,
  templateName,
  templateLocale,
});
const params = (localizableParams: unknown) => ({ ...ORDER, localizableParams });

const REFUSED: Readonly<Record<SenderId, readonly Row[]>> = {
  "sms-form": [
    ...SMS_AND_BROADCAST,
    [{ recipientAddressList: "" }, 4019, /recipientAddressList/],
    [{ messageContent: "x\x82" }, 4009],
    ...["0041790000000", " 41790000000", "4179", "4179000000000000", "4179000000a", "41790000000,"].map(
      (numbers): Row => [{ recipientAddressList: numbers }, 4002],
    ),
    [{ recipientAddressList: list(1001) }, 4025],
    [{ contentCategory: "Informational" }, 4040],
    [{ messageType: "sms" }, 4004],
    [sender("Alphanumeric", "Shop"), 4003],
    [{ senderAddress: "TwelveLetter" }, 4003],
    [{ senderAddress: "" }, 4003],
    [sender("international", "Shop"), 4003],
    [sender("shortcode", "123456789"), 4003],
    [sender("national", "Shop"), 4003],
    [sender("alphanumeric", "417900000000"), 4003],
    [{ priority: 0 }, 4015],
    [{ priority: 1.5 }, 4015],
    [{ validityPeriode: "" }, 4041],
    ...["example.org", "ftp://example.org/", "http://[", "http://example.org/ "].map(
      (notificationCallbackUrl): Row => [{ notificationCallbackUrl }, 4016],
    ),
    [{ clientMessageId: "a\nb" }, 4008],
    [{ messageContent: x(161), maxSmsPerMessage: 1 }, 4026],
    // Checked in the order of the description.
    [{ recipientAddressList: "0", priority: 99 }, 4002],
    [{ recipients: 1 }, null, /unknown parameter "recipients"/],
    [{ ...recipientAddressList, messageContent: undefined, x: 1 }, null, /unknown parameter/],
    [{ access_token: "abc" }, null, /unknown parameter "access_token"/],
    [{ test: "TRUE" }, null, /test: must be true or false/],
    [{ sendAsFlashSms: "" }, null, /sendAsFlashSms: must be true or false/],
    [{ maxSmsPerMessage: -1 }, null, /maxSmsPerMessage/],
    [{ maxSmsPerMessage: 1.5 }, null, /maxSmsPerMessage/],
  ],
  "sms-json": [
    [recipientAddressList, 4019, /^Missing parameter: recipientAddressList$/],
    [{ recipientAddressList: "41790000000" }, 4002],
    [{ recipientAddressList: [41790000000] }, 4002],
    [{ recipientAddressList: [] }, 4019],
    [{ messageContent: null }, 4009],
    [{ messageContent: "\ud83d" }, 4009],
    [{ priority: "3" }, 4015],
    [{ validityPeriode: "60" }, 4041],
    [{ clientMessageId: 7 }, 4008],
    [{ toString: 1 }, null],
    [{ test: "true" }, null],
  ],
  "whatsapp-broadcast": [
    ...SMS_AND_BROADCAST,
    [{ recipientAddressList: [] }, 4019],
    [{ recipientAddressList: list(1001) }, 4025],
    [{ recipientAddressList: ["0791234567"] }, 4002],
    [{ messageContent: x(10_001) }, 4009],
    [{ messageContent: emoji(10_001) }, 4009],
    [{ attachmentId: 1_000_000 }, 4034],
    [{ attachmentId: "1" }, 4034],
    ...["maxSmsPerMessage", "messageType", "sendAsFlashSms", "senderAddress", "applicationId"].map(
      (name): Row => [{ [name]: "x" }, null],
    ),
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
    ...[undefined, "sample.png", "", 7].map((mediaId): Row => [{ mediaId }, 4034]),
    [{ content: x(4097) }, 4028],
    [{ content: null }, 4028],
  ],
  "whatsapp-template": [
    ...OAUTH,
    [template(undefined, "de"), 4028, /: templateName: is missing/],
    [template("order_ready", undefined), 4028, /: templateLocale: is missing/],
    [template("order_gone", "de"), 4028, /: templateName: is not known/],
    [template("Order_ready", "de"), 4028, /: templateName: is not known/],
    [template("", "de"), 4028, /: templateName: must not be empty/],
    [template(1, "de"), 4028, /: templateName: must be a string/],
    [template("order_ready", "fr"), 4028, /: templateLocale: is not a locale/],
    [template("order_ready", "en-US"), 4028, /: templateLocale: is not a locale/],
    [params(undefined), 4401, /: localizableParams: 0 entries, the template has 2/],
    [{ ...ORDER, ...values("a") }, 4401, /: localizableParams: 1 entries, the template has 2/],
    [{ ...ORDER, ...values("a", "b", "c") }, 4401, /: localizableParams: 3 entries, the template has 2/],
    [params({ default: "a" }), 4401, /: localizableParams: must be a list of objects/],
    [params(null), 4401, /: localizableParams: must be a list of objects/],
    [params(["a", "b"]), 4401, /: localizableParams: must be a list of objects/],
    [params([{ default: "a" }, { text: "b" }]), 4401, /: localizableParams: entry 2 must have the one key/],
    [params([{ default: "a", other: "b" }, {}]), 4401, /: localizableParams: entry 1 must have the one key/],
    [params([{}, { default: "b" }]), 4401, /: localizableParams: entry 1 must have the one key/],
    [{ ...ORDER, ...values("a", 2) }, 4401, /: localizableParams: entry 2 must be a string/],
    [{ ...ORDER, ...values("a\nb", "c") }, 4401, /: localizableParams: entry 1 has a line break/],
    [{ ...ORDER, ...values("a\rb", "c") }, 4401, /: localizableParams: entry 1 has a line break/],
    [{ ...ORDER, ...values("a", x(1025)) }, 4401, /: localizableParams: entry 2 has 1025 characters/],
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
      contentCategory: "advertisement",
      maxSmsPerMessage: 0,
      messageType: "default",
      notificationCallbackUrl: "https://example.org/r?a=1",
      priority: 5,
      sendAsFlashSms: false,
      ...sender("international", "41790000000"),
      test: false,
      validityPeriode: 259_200,
      clientMessageId: "a",
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
  const simulator = useSimulator({ maxPriority: 5 });
  const shown = (fields: SentFields) =>
    inspect(fields, {
      breakLength: Number.POSITIVE_INFINITY,
      maxStringLength: 30,
      maxArrayLength: 3,
      depth: 3,
    });

  for (const id of Object.keys(SENDERS) as SenderId[]) {
    const oauth = (OAUTH_SENDERS as readonly string[]).includes(id);
    describe(id, () => {
      for (const [fields, code, text = /./, httpStatus = oauth || code === null ? 400 : 200] of REFUSED[id]) {
        it(`refuses ${shown(fields)} with ${code ?? "HTTP 400"}`, async () => {
          const clientMessageId = "clientMessageId" in fields ? undefined : { clientMessageId: "order-7" };
          const answer = await sendTo(simulator.url, id, { ...clientMessageId, ...fields });
          assert.equal(answer.httpStatus, httpStatus);
          assert.equal(simulator.main.messages.length, 0);
          const request = simulator.main.requests.at(-1);
          assert.deepEqual([request?.operation, request?.httpStatus], [id, httpStatus]);
          assert.equal(request?.statusCode, code);
          if (code === null) {
            assert.equal(answer.headers["content-type"], "text/plain;charset=UTF-8");
            assert.match(String(answer.headers["x-simulator-reason"]), text);
            return;
          }
          const { statusCode, statusMessage, ...rest } = answer.fields;
          assert.equal(statusCode, code);
          assert.match(String(statusMessage), text);
          const [name = ""] = Object.keys(fields);
          if (oauth && code < 4009) {
            assert.match(String(statusMessage), new RegExp(`: ${name}: (is|must|has) .`));
          }
          const id7 = clientMessageId ? { clientMessageId: "order-7" } : {};
          const form = id === "sms-form";
          assert.deepEqual(
            rest,
            oauth
              ? {}
              : form
                ? { ...id7, smsCount: 0 }
                : { clientMessageId: null, ...id7, transferId: null, smsCount: 0 },
          );
        });
      }
      for (const fields of ACCEPTED[id]) {
        it(`accepts ${shown(fields)}`, async () => {
          const { fields: answer } = await sendTo(simulator.url, id, fields);
          assert.ok(answer.statusCode === 2000 || answer.statusCode === 2001, inspect(answer));
          assert.equal(simulator.main.messages.length, 1);
          if ("content" in fields) assert.equal(simulator.main.messages[0]?.content, fields.content);
        });
      }
    });
  }
});
