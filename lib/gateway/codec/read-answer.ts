import { trimEnd } from "../../shared/trim-end";
import { headerOf } from "../http/body/answer-body";
import { decodeText } from "./decode-text";
import type { HttpAnswer } from "../http/exchange";
import type { AnswerForm } from "../contract/operations";
import { type ParsedJson, parseJsonAnswer } from "./parse-json-answer";

/** The fields read from an answer. A field that is absent or unreadable is null. */
export interface ReadAnswer {
  readonly statusCode: number | null;
  readonly statusMessage: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly smsCount: number | null;
  /** What an operation returns besides: attachmentId, mediaId, bytes of a file. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** True for an answer that has the requested file or id, which means success without a code. */
  readonly fulfilled: boolean;
  /** Name of a field that occurs twice, so that the answer may contradict itself. No field is then read. */
  readonly repeated: string | null;
}

const NOTHING: ReadAnswer = {
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

/** In a form whose bytes are characters. */
const ENCODED = /[+%\x80-\xff]/;
const NOT_ASCII = /[\x80-\xff]/;

/** Decodes a name or value of a form, whose bytes are plain or percent-encoded. */
function decodePart(part: string, contentType: string | null): string {
  if (!ENCODED.test(part)) {
    return part;
  }
  const spaced = part.replaceAll("+", " ");
  const bytes = spaced.includes("%")
    ? spaced.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : spaced;
  return NOT_ASCII.test(bytes) ? decodeText(Buffer.from(bytes, "latin1"), contentType) : bytes;
}

/** The known fields of a form. All exist from the start, so that V8 uses one hidden class. */
class FormFields {
  statusCode: string | undefined = undefined;
  statusMessage: string | undefined = undefined;
  clientMessageId: string | undefined = undefined;
  transferId: string | undefined = undefined;
  smsCount: string | undefined = undefined;
  attachmentId: string | undefined = undefined;

  /** @returns false where the same field came before with another value */
  take(name: string, value: string): boolean {
    switch (name) {
      case "statusCode":
        this.statusCode ??= value;
        return this.statusCode === value;
      case "statusMessage":
        this.statusMessage ??= value;
        return this.statusMessage === value;
      case "clientMessageId":
        this.clientMessageId ??= value;
        return this.clientMessageId === value;
      case "transferId":
        this.transferId ??= value;
        return this.transferId === value;
      case "smsCount":
        this.smsCount ??= value;
        return this.smsCount === value;
      case "attachmentId":
        this.attachmentId ??= value;
        return this.attachmentId === value;
      default:
        return true;
    }
  }
}

const SPACE = 0x20;
const BLANKS = "\t\n\r ";
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The bytes of an answer as characters from U+0000 to U+00FF, without a byte order mark and without blanks at both ends. */
function byteText({ body }: HttpAnswer): string {
  const marked = body[0] === UTF8_MARK[0] && body.subarray(0, 3).equals(UTF8_MARK);
  const read = body.toString("latin1", marked ? 3 : 0);
  // `trim` would also remove U+00A0, which is the last byte of some letters.
  const blank = read.charCodeAt(0) <= SPACE || read.charCodeAt(read.length - 1) <= SPACE;
  return blank ? trimEnd(read.replace(/^[\t\n\r ]+/, ""), (character) => BLANKS.includes(character)) : read;
}

/** None if one has two values, or if the body does not begin with a name: a link in a web page can contain `&statusCode=2000`. */
function readForm(body: string, contentType: string | null): ReadAnswer {
  if (!/^\w+=/.test(body)) {
    return NOTHING;
  }
  const encoded = ENCODED.test(body);
  const fields = new FormFields();
  for (let from = 0; from < body.length; ) {
    const next = body.indexOf("&", from);
    const end = next < 0 ? body.length : next;
    const pair = body.slice(from, end);
    // Scanning the rest for each pair would be quadratic.
    const at = pair.indexOf("=");
    if (at > 0) {
      const part = pair.slice(0, at);
      const name = encoded ? decodePart(part, contentType) : part;
      const value = pair.slice(at + 1);
      if (!fields.take(name, encoded ? decodePart(value, contentType) : value)) {
        return { ...NOTHING, repeated: name };
      }
    }
    from = end + 1;
  }
  return common(fields as unknown as Fields);
}

function readFields({ fields, repeated }: ParsedJson): ReadAnswer {
  if (fields !== null) {
    return common(fields);
  }
  return repeated === null ? NOTHING : { ...NOTHING, repeated };
}

function common(fields: Fields): ReadAnswer {
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

const parse = (answer: HttpAnswer): ParsedJson =>
  parseJsonAnswer(decodeText(answer.body, header(answer, "content-type")));

const readJson = (answer: HttpAnswer): ReadAnswer => readFields(parse(answer));

/** Copies bytes that are a view of a larger buffer, so that the rest of it can be freed. */
const ownBytes = (bytes: Buffer): Buffer =>
  bytes.length === bytes.buffer.byteLength ? bytes : Buffer.from(bytes);

const succeeded = (answer: HttpAnswer): boolean => answer.status >= 200 && answer.status < 300;

const header = (answer: HttpAnswer, name: string): string | null => headerOf(answer.headers, name);

const READERS: Readonly<Record<AnswerForm, (answer: HttpAnswer) => ReadAnswer>> = {
  // Documented as a form; an answer in JSON is read as well. docs/service.md, To a legacy send.
  "legacy-form": (answer) => {
    const body = byteText(answer);
    return body.startsWith("{") ? readJson(answer) : readForm(body, header(answer, "content-type"));
  },
  json: readJson,
  // The answer to an upload has no status code: the id means success.
  upload: (answer) => {
    const parsed = parse(answer);
    const read = readFields(parsed);
    const mediaId = nonEmpty(parsed.fields?.mediaId);
    return mediaId !== null && read.statusCode === null && succeeded(answer)
      ? { ...read, data: { mediaId }, fulfilled: true }
      : read;
  },
  // A file has no status code: the file means success.
  bytes: (answer) =>
    succeeded(answer)
      ? {
          ...NOTHING,
          data: {
            content: ownBytes(answer.body),
            contentType: header(answer, "content-type"),
            contentDisposition: header(answer, "content-disposition"),
          },
          fulfilled: true,
        }
      : readJson(answer),
  token: (answer) => ({ ...NOTHING, data: parse(answer).fields }),
};

/** Reads an answer by its operation's form. Never throws: what cannot be read is absent. */
export function readAnswer(form: AnswerForm, answer: HttpAnswer): ReadAnswer {
  return READERS[form](answer);
}

/** The forms of a date in HTTP all start with the day's name; `Date.parse` alone finds dates in anything. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i;

/** `Retry-After` in ms from `now`; null if it is absent or invalid. */
export function readRetryAfter(answer: HttpAnswer, now: number): number | null {
  const value = header(answer, "retry-after")?.trim() ?? "";
  if (value === "") {
    return null;
  }
  if (/^\d+$/.test(value)) {
    return Number(value) * 1000;
  }
  const at = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
