import { trimEnd } from "../../shared/trim-end";
import { getHeader } from "../http/body/response-body";
import { decodeText } from "./decode-text";
import type { HttpResponse } from "../http/exchange";
import type { ResponseForm } from "../contract/operations";
import { type ParsedJson, parseJsonResponse } from "./parse-json-response";

export interface ReadResponse {
  readonly statusCode: number | null;
  readonly statusMessage: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly smsCount: number | null;
  /** For example attachmentId, mediaId or the bytes of a file. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** True if the response has the requested file or id, which means success without a code. */
  readonly fulfilled: boolean;
  /** A field that occurs twice, so that the response may contradict itself and no field is read. */
  readonly repeated: string | null;
}

const NOTHING: ReadResponse = {
  statusCode: null,
  statusMessage: null,
  clientMessageId: null,
  transferId: null,
  smsCount: null,
  data: null,
  fulfilled: false,
  repeated: null,
};

type Fields = Readonly<Record<string, unknown>>;

const wholeNumber = (value: unknown): number | null => {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? value : null;
  }
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : null;
};

/** Some services write the word `null` for an absent value. */
const nonEmpty = (value: unknown): string | null => {
  if (typeof value === "number") {
    return String(value);
  }
  return typeof value === "string" && value !== "" && value !== "null" ? value : null;
};

const NOT_ASCII = /[\x80-\xff]/;

function decodePart(part: string, contentType: string | null): string {
  if (!/[+%\x80-\xff]/.test(part)) {
    return part;
  }
  const bytes = part
    .replaceAll("+", " ")
    .replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return NOT_ASCII.test(bytes) ? decodeText(Buffer.from(bytes, "latin1"), contentType) : bytes;
}

const FORM_FIELDS: ReadonlySet<string> = new Set([
  "statusCode",
  "statusMessage",
  "clientMessageId",
  "transferId",
  "smsCount",
  "attachmentId",
]);

const BLANKS = "\t\n\r ";
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Decodes bytes as Latin-1, without byte order mark and outer blanks. */
function byteText({ body }: HttpResponse): string {
  const marked = body[0] === UTF8_MARK[0] && body.subarray(0, 3).equals(UTF8_MARK);
  const read = body.toString("latin1", marked ? 3 : 0);
  // `trim` would also remove U+00A0, the last byte of some letters.
  return trimEnd(read.replace(/^[\t\n\r ]+/, ""), (character) => BLANKS.includes(character));
}

/** Requires a name at the start, because a link in a web page can contain `&statusCode=2000`. */
function readForm(body: string, contentType: string | null): ReadResponse {
  if (!/^\w+=/.test(body)) {
    return NOTHING;
  }
  const fields: Record<string, string> = {};
  for (const pair of body.split("&")) {
    const at = pair.indexOf("=");
    const name = decodePart(pair.slice(0, Math.max(at, 0)), contentType);
    if (FORM_FIELDS.has(name)) {
      const value = decodePart(pair.slice(at + 1), contentType);
      if (fields[name] !== undefined && fields[name] !== value) {
        return { ...NOTHING, repeated: name };
      }
      fields[name] = value;
    }
  }
  return common(fields);
}

function readFields({ fields, repeated }: ParsedJson): ReadResponse {
  if (fields !== null) {
    return common(fields);
  }
  return repeated === null ? NOTHING : { ...NOTHING, repeated };
}

function common(fields: Fields): ReadResponse {
  const attachmentId = wholeNumber(fields.attachmentId) ?? nonEmpty(fields.attachmentId);
  return {
    statusCode: wholeNumber(fields.statusCode),
    statusMessage: nonEmpty(fields.statusMessage),
    clientMessageId: nonEmpty(fields.clientMessageId),
    transferId: nonEmpty(fields.transferId),
    smsCount: wholeNumber(fields.smsCount),
    data: attachmentId === null ? null : { attachmentId },
    fulfilled: false,
    repeated: null,
  };
}

const parse = (response: HttpResponse): ParsedJson =>
  parseJsonResponse(decodeText(response.body, header(response, "content-type")));

const readJson = (response: HttpResponse): ReadResponse => readFields(parse(response));

const succeeded = (response: HttpResponse): boolean => response.status >= 200 && response.status < 300;

const header = (response: HttpResponse, name: string): string | null => getHeader(response.headers, name);

const READERS: Readonly<Record<ResponseForm, (response: HttpResponse) => ReadResponse>> = {
  // Accepts JSON in place of the documented form (docs/service.md, To a legacy send).
  "legacy-form": (response) => {
    const body = byteText(response);
    return body.startsWith("{") ? readJson(response) : readForm(body, header(response, "content-type"));
  },
  json: readJson,
  upload: (response) => {
    const parsed = parse(response);
    const read = readFields(parsed);
    const mediaId = nonEmpty(parsed.fields?.mediaId);
    return mediaId !== null && read.statusCode === null && succeeded(response)
      ? { ...read, data: { mediaId }, fulfilled: true }
      : read;
  },
  bytes: (response) =>
    succeeded(response)
      ? {
          ...NOTHING,
          data: {
            content: response.body,
            contentType: header(response, "content-type"),
            contentDisposition: header(response, "content-disposition"),
          },
          fulfilled: true,
        }
      : readJson(response),
  token: (response) => ({ ...NOTHING, data: parse(response).fields }),
};

export function readResponse(form: ResponseForm, response: HttpResponse): ReadResponse {
  return READERS[form](response);
}

/** Requires the weekday, because `Date.parse` finds dates in any text. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i;

export function readRetryAfter(response: HttpResponse, now: number): number | null {
  const value = header(response, "retry-after")?.trim() ?? "";
  if (value === "") {
    return null;
  }
  if (/^\d+$/.test(value)) {
    return Number(value) * 1000;
  }
  const at = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
