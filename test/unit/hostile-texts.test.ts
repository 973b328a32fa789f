import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { OPERATIONS } from "../../lib/gateway/contract/operations";
import { readAnswer, readRetryAfter } from "../../lib/gateway/codec/read-answer";
import { checkRcsMessage } from "../../lib/gateway/contract/rcs-schemas";
import { Redactor } from "../../lib/gateway/codec/redactor";
import { parseServiceAddress } from "../../lib/gateway/http/service-address";
import { judge } from "../../lib/gateway/codec/verdict";
import { dispositionFileName } from "../../lib/runtime/channels/content-disposition";
import { maskNumber } from "../../lib/shared/recipients/mask-number";
import { readRawPayload } from "../../lib/runtime/channels/rcs-raw";
import { jsonValue, listOfLines } from "../../lib/runtime/fields/json-fields";
import { WHATSAPP_CHANNEL } from "../../lib/runtime/channels/whatsapp-channel";
import { findWrongAddress } from "../../lib/editor/webhook/address-entries";
import { findAddressFault } from "../../lib/shared/network/address-fault";
import { safeFileName, splitName } from "../../lib/runtime/channels/file-name";
import { findCharacters } from "../../lib/editor/inputs/found-characters";
import { canonicalAddress } from "../../lib/shared/network/ip-address";
import { isInstant } from "../../lib/shared/instant";
import { findNonLatin1, percentEncodeLatin1 } from "../../lib/shared/latin1";
import { extensionOfType, isMediaType, typeOfName } from "../../lib/shared/media-types";
import { checkDefaultCountry, readSpelling } from "../../lib/shared/recipients/phone-number";
import { findExcess, findPlaceholderFault } from "../../lib/shared/placeholders";
import { expandSuggestions } from "../../lib/runtime/channels/rcs-suggestions";
import { isColumn, toColumn } from "../../lib/editor/recipients/recipient-column";
import { parseRecipients } from "../../lib/shared/recipients/recipients";
import { isOutsideGsm, measureSms } from "../../lib/shared/sms-segments";
import { UUID } from "../../lib/shared/uuid";
import { pathKey, trimPath } from "../../lib/shared/network/webhook-path";
import { AddressList } from "../../lib/webhook/gates/address-list";
import { authenticator } from "../../lib/webhook/gates/authenticate";
import { classifyEvent } from "../../lib/webhook/classify-event";
import { clientAddress } from "../../lib/webhook/gates/client-address";
import { checkContentType } from "../../lib/webhook/gates/content-type";
import { parseJson } from "../../lib/webhook/gates/parse-json";
import { requestRedactor } from "../../lib/webhook/gates/redacted-request";
import { decodeForm } from "../../simulator/request/decode-body";
import { mediaFromJson } from "../../simulator/inventory/media-from-json";
import { decodeMultipart } from "../../simulator/request/multipart";
import { isContentType, isFileName } from "../../simulator/request/uploaded-file";

/**
 * Texts of others are read in time that grows with their length, not with its square: one message of 1 MB would
 * hold Node-RED up for minutes.
 */

const SIZE = 300_000;
/** Small enough that even the square of it ends, so that a failure is a failure and no test that hangs. */
const FIRST_SIZE = 20_000;
/** ms for a text of that length; where it takes the square, the first size takes some hundred, the second many seconds. */
const LONGEST = { first: 150, full: 500 } as const;

/** Units that are tried at the full length: those that took longest at the first one. */
const MOST_FULL = 2;

/** What expressions and loops stumble over when it comes again and again. */
const UNITS = [
  ...[" ", ",", ".", "\\", '"', "'", "/", ";", "&", "%", "=", ":", "+", "0", "1", "a", "\0", "\n", "\t"],
  ...[
    "a=",
    "a&",
    "%41",
    "(0)",
    "[",
    "{",
    "}",
    '; a="',
    '; a=\\"',
    "\r\n",
    "é",
    "😀",
    "\ud800",
    "e\u0301\u0316",
  ],
  ...["\u200b", "{{1}}", "1.", "1,", "-", "? ", "${a"],
];

const filled = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length));

/** With another character at the end, too, so that what was matched so far was in vain. */
const textsOf = (unit: string, size: number): readonly string[] => {
  const text = filled(unit, size);
  return [text, `a${text}b`, `a${text}\u0001`];
};

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

/** The value of every field of a request, one at a time; what is refused is refused. */
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
  splitName,
  "file name in folders": (text) => safeFileName(`a/${text}/b\\${text}`),
  dispositionFileName,
  "dispositionFileName, quoted": (text) => dispositionFileName(`attachment; filename="${text}"`),
  "dispositionFileName, extended": (text) => dispositionFileName(`attachment; filename*=UTF-8''${text}`),
  typeOfName,
  extensionOfType,
  isMediaType,
  "isMediaType, parameter": (text) => isMediaType(`a/b ;${text}`),
  readSpelling,
  checkDefaultCountry,
  parseRecipients,
  maskNumber,
  isInstant,
  uuid: (text) => UUID.test(text),
  findPlaceholderFault,
  findExcess: (text) => findExcess([text, text]),
  findWrongAddress,
  findAddressFault,
  parseServiceAddress: (text) => parseServiceAddress("service", `https://localhost/${text}`),
  trimPath,
  pathKey,
  expandSuggestions: (text) => expandSuggestions([{ text, phone: text }]),
  toColumn,
  isColumn,
  measureSms,
  findCharacters: (text) => findCharacters(text, isOutsideGsm, 5),
  findNonLatin1,
  percentEncodeLatin1: (text) => percentEncodeLatin1(text),
  structure: (text) => jsonValue(text, "field"),
  lines: (text) => listOfLines(text, "field"),
  rawPayload: (text) =>
    readRawPayload({ RCSMessage: {}, messageContact: { userContact: text } }, ["41791234567"]),
  checkRcsMessage: (text) => checkRcsMessage({ textMessage: text, [text]: text }),
  templateLocale: (text) => WHATSAPP_CHANNEL.warn?.({ templateLocale: text }),
  fields: fillFields,
  redactor: (text) => secrets.clean(text),
  "answer, form": (text) => readAnswer("legacy-form", answer(`statusCode=2000&${text}`)),
  "answer, JSON": (text) => readAnswer("json", answer(JSON.stringify({ statusMessage: text }))),
  "answer, no JSON": (text) => readAnswer("json", answer(text)),
  readRetryAfter: (text) => readRetryAfter(answer("", { "retry-after": `mon, ${text}` }), 0),
  judge: (text) => {
    const refused = answer(JSON.stringify({ statusCode: 4019, statusMessage: text }));
    return judge(OPERATIONS["sms-json"], { answer: refused }, false, 0);
  },
  canonicalAddress,
  AddressList: (text) => new AddressList(text),
  clientAddress: (text) => clientAddress(request({ "x-forwarded-for": text }), 1),
  "secret in the query": (text) =>
    authenticator({ method: "query", secrets: ["s"] })(request({}, `/?${text}&secret=${text}`)),
  "Basic sign-in": (text) => checkBasic(request({ authorization: `Basic ${text}` })),
  checkContentType: (text) => checkContentType(request({ "content-type": `application/json;${text}` })),
  requestRedactor: (text) =>
    requestRedactor({ method: "query", secrets: ["12345678"] })(request({ [text]: text }), "127.0.0.1"),
  parseJson: (text) => parseJson(Buffer.from(text)),
  "parseJson, text": (text) => parseJson(Buffer.from(JSON.stringify({ [text]: text }))),
  classifyEvent: (text) =>
    classifyEvent("inbound", { applicationId: text, sender: text, notificationId: text, content: text }),
  "classifyEvent, status": (text) => classifyEvent("status", { messageStatus: text, sender: text }),
  "simulator: decodeForm": (text) => decodeForm(text),
  "simulator: isContentType": isContentType,
  "simulator: isFileName": isFileName,
  "simulator: mediaFromJson": (text) => mediaFromJson({ contentBase64: text }),
  "simulator: content type": (text) =>
    decodeMultipart(Buffer.from(text), `multipart/form-data; boundary=${text}`),
  "simulator: multipart": (text) => {
    const head = `Content-Disposition: form-data; name="${text.slice(0, 8000)}"`;
    const body = Buffer.from(`--b\r\n${head}\r\n\r\n${text}\r\n--b--`);
    return decodeMultipart(body, "multipart/form-data; boundary=b");
  },
};

interface Measured {
  readonly ms: number;
  readonly unit: string;
}

function timeOf(read: (text: string) => unknown, text: string): number {
  const began = process.cpuUsage();
  try {
    read(text);
  } catch {
    // Refused, which may have taken as long.
  }
  // Of the processor, which other work of the computer does not add to.
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/**
 * How long the slowest text of each unit took, the slowest unit first. What takes longer than `limit` is tried twice
 * more, for the computer may have been busy with something else.
 */
function measure(
  read: (text: string) => unknown,
  units: readonly string[],
  size: number,
  limit: number,
): Measured[] {
  const found = units.map((unit) => {
    const times = textsOf(unit, size).map((text) => {
      let ms = timeOf(read, text);
      for (let again = 0; ms >= limit && again < 2; again++) {
        ms = Math.min(ms, timeOf(read, text));
      }
      return ms;
    });
    return { ms: Math.max(...times), unit };
  });
  return found.sort((one, other) => other.ms - one.ms);
}

function expectLess({ ms, unit }: Measured, limit: number, size: number): void {
  assert.ok(ms < limit, `${JSON.stringify(unit)}, to ${size} characters, took ${Math.round(ms)} ms`);
}

describe("texts of others", () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`are read in time that grows with their length: ${name}`, () => {
      const first = measure(read, UNITS, FIRST_SIZE, LONGEST.first);
      expectLess(first[0] as Measured, LONGEST.first, FIRST_SIZE);
      for (const { unit } of first.slice(0, MOST_FULL)) {
        expectLess(measure(read, [unit], SIZE, LONGEST.full)[0] as Measured, LONGEST.full, SIZE);
      }
    });
  }
});
