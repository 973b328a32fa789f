import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { OPERATIONS } from "../../lib/gateway/contract/operations";
import { readResponse, readRetryAfter } from "../../lib/gateway/codec/read-response";
import { checkRcsMessage } from "../../lib/gateway/contract/rcs-schemas";
import { Redactor } from "../../lib/gateway/codec/redactor";
import { parseServiceAddress } from "../../lib/gateway/http/service-address";
import { judge } from "../../lib/gateway/codec/verdict";
import { dispositionFileName } from "../../nodes/media-transfer/runtime/content-disposition";
import { readRawPayload } from "../../nodes/rcs-send/runtime/rcs-raw";
import { safeFileName } from "../../nodes/media-transfer/runtime/file-name";
import { readSpelling } from "../../lib/shared/recipients/phone-number";
import { findPlaceholderFault } from "../../lib/shared/placeholders";
import { parseRecipients } from "../../lib/shared/recipients/recipients";
import { measureSms } from "../../lib/shared/sms-segments";
import { pathKey } from "../../lib/shared/network/webhook-path";
import { authenticator } from "../../lib/webhook/gates/authenticate";
import { classifyEvent } from "../../lib/webhook/classify-event";
import { clientAddress } from "../../lib/webhook/gates/client-address";
import { checkContentType } from "../../lib/webhook/gates/content-type";
import { parseJson } from "../../lib/webhook/gates/parse-json";
import { requestRedactor } from "../../lib/webhook/gates/redacted-request";
import { decodeForm } from "../../simulator/request/decode-body";
import { decodeMultipart } from "../../simulator/request/multipart";

const SIZE = 100_000;
/** Reading takes some ms; a reader whose time grows with the square of the length takes many seconds. */
const LIMIT_MS = 2_000;

/** Expressions and loops stumble over these when they are repeated. */
const UNITS = [
  " ",
  ",",
  ".",
  "\\",
  '"',
  ";",
  "&",
  "%41",
  "=",
  "0",
  "1,",
  "[",
  "{{1}}",
  '; a="',
  "\r\n",
  "😀",
  "\u200b",
];

const getProcessorMs = (): number => process.cpuUsage().user / 1_000;

const request = (headers: Readonly<Record<string, string>>, url = "/"): IncomingMessage =>
  ({
    headers,
    url,
    rawHeaders: Object.entries(headers).flat(),
    socket: { remoteAddress: "127.0.0.1" },
  }) as never;

const answer = (body: string, headers: Readonly<Record<string, string>> = {}) => ({
  status: 200,
  headers,
  body: Buffer.from(body),
});

/** Checks every field of every request. */
function fillFields(text: string): void {
  for (const { request: schema } of Object.values(OPERATIONS)) {
    const fields = Object.keys((schema as { shape?: object }).shape ?? {});
    schema.safeParse(Object.fromEntries(fields.map((field) => [field, text])));
  }
}

const secrets = new Redactor();
secrets.add("p&ss/wörd+1");

const checkBasic = authenticator({ method: "basic", users: [{ username: "u", password: "p" }] });

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  safeFileName,
  dispositionFileName,
  "dispositionFileName, extended": (text) => dispositionFileName(`attachment; filename*=UTF-8''${text}`),
  readSpelling,
  parseRecipients,
  findPlaceholderFault,
  parseServiceAddress: (text) => parseServiceAddress("service", `https://localhost/${text}`),
  pathKey,
  measureSms,
  rawPayload: (text) =>
    readRawPayload({ RCSMessage: {}, messageContact: { userContact: text } }, ["41791234567"]),
  checkRcsMessage: (text) => checkRcsMessage({ textMessage: text, [text]: text }),
  fields: fillFields,
  redactor: (text) => secrets.clean(text),
  "answer, form": (text) => readResponse("legacy-form", answer(`statusCode=2000&${text}`)),
  "answer, JSON": (text) => readResponse("json", answer(JSON.stringify({ statusMessage: text }))),
  readRetryAfter: (text) => readRetryAfter(answer("", { "retry-after": `mon, ${text}` }), 0),
  judge: (text) => {
    const refused = answer(JSON.stringify({ statusCode: 4019, statusMessage: text }));
    return judge(OPERATIONS["sms-json"], { response: refused }, false, 0);
  },
  clientAddress: (text) => clientAddress(request({ "x-forwarded-for": text }), 1),
  "secret in the query": (text) =>
    authenticator({ method: "query", secrets: ["s"] })(request({}, `/?${text}&secret=${text}`)),
  "Basic sign-in": (text) => checkBasic(request({ authorization: `Basic ${text}` })),
  checkContentType: (text) => checkContentType(request({ "content-type": `application/json;${text}` })),
  requestRedactor: (text) =>
    requestRedactor({ method: "query", secrets: ["12345678"] })(request({ [text]: text }), "127.0.0.1"),
  parseJson: (text) => parseJson(Buffer.from(text)),
  classifyEvent: (text) =>
    classifyEvent("inbound", { applicationId: text, sender: text, notificationId: text, content: text }),
  "simulator: decodeForm": (text) => decodeForm(text),
  "simulator: content type": (text) =>
    void decodeMultipart(Buffer.from(text), `multipart/form-data; boundary=${text}`).catch(() => {}),
  "simulator: multipart": (text) => {
    const head = `Content-Disposition: form-data; name="${text.slice(0, 8000)}"`;
    const body = Buffer.from(`--b\r\n${head}\r\n\r\n${text}\r\n--b--`);
    void decodeMultipart(body, "multipart/form-data; boundary=b").catch(() => {});
  },
};

describe("texts of others", () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`take time in proportion to their length: ${name}`, () => {
      for (const unit of UNITS) {
        const text = unit.repeat(SIZE / unit.length);
        // The last character makes all earlier matches vain.
        for (const given of [text, `a${text}\u0001`]) {
          const start = getProcessorMs();
          try {
            read(given);
          } catch {
            // A refusal may take as long.
          }
          assert.ok(getProcessorMs() - start < LIMIT_MS, JSON.stringify(unit));
        }
      }
    });
  }
});
