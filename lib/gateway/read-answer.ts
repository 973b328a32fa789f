import { headerOf } from "./answer-body";
import type { HttpAnswer } from "./exchange";
import type { AnswerForm } from "./operations";

/** What could be read of an answer. Every field may be absent: the reader never guesses. */
export interface ReadAnswer {
  readonly statusCode: number | null;
  readonly statusMessage: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly smsCount: number | null;
  /** What an operation returns besides: attachmentId, mediaId, bytes of a file. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

const NOTHING: ReadAnswer = {
  statusCode: null,
  statusMessage: null,
  clientMessageId: null,
  transferId: null,
  smsCount: null,
  data: null,
};

type Fields = Readonly<Record<string, unknown>>;

const wholeNumber = (value: unknown): number | null => {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? value : null;
  }
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : null;
};

const nonEmpty = (value: unknown): string | null => {
  if (typeof value === "number") {
    return String(value);
  }
  return typeof value === "string" && value !== "" ? value : null;
};

const ENCODED = /[+%]/;

/** Percent-encoded bytes as UTF-8, or as Latin-1 where they are not UTF-8: the contract does not say which. */
function decodePercent(text: string): string {
  if (!ENCODED.test(text)) {
    return text;
  }
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) {
    return spaced;
  }
  const bytes = Buffer.from(
    spaced.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    "latin1",
  );
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}

/** The fields of a form that mean anything, each with its place from the beginning. */
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

/**
 * The fields of a form-encoded body that mean anything; null when one of them comes twice with different values, and when it does not
 * begin with a field name: in a web page, too, a link may hold `&statusCode=2000`.
 */
function parseForm(text: string): Fields | null {
  const body = text.trim();
  if (!/^\w+=/.test(body)) {
    return null;
  }
  const encoded = ENCODED.test(body);
  const fields = new FormFields();
  for (let from = 0; from < body.length; ) {
    const next = body.indexOf("&", from);
    const end = next < 0 ? body.length : next;
    const pair = body.slice(from, end);
    // Looked for in this pair alone: one look at the whole rest for each pair takes the square of the time.
    const at = pair.indexOf("=");
    if (at > 0) {
      const name = pair.slice(0, at);
      const value = pair.slice(at + 1);
      if (!fields.take(encoded ? decodePercent(name) : name, encoded ? decodePercent(value) : value)) {
        return null;
      }
    }
    from = end + 1;
  }
  return fields as unknown as Fields;
}

function parseJson(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

function common(fields: Fields | null): ReadAnswer {
  if (fields === null) {
    return NOTHING;
  }
  const attachmentId = wholeNumber(fields.attachmentId) ?? nonEmpty(fields.attachmentId);
  return {
    statusCode: wholeNumber(fields.statusCode),
    statusMessage: nonEmpty(fields.statusMessage),
    clientMessageId: nonEmpty(fields.clientMessageId),
    transferId: nonEmpty(fields.transferId),
    smsCount: wholeNumber(fields.smsCount),
    data: attachmentId === null ? null : { attachmentId },
  };
}

const BYTE_ORDER_MARK = 0xfeff;

/** Without the byte order mark that some servers put first. */
function text({ body }: HttpAnswer): string {
  const read = body.toString("utf8");
  return read.charCodeAt(0) === BYTE_ORDER_MARK ? read.slice(1) : read;
}

/** Bytes that do not hold what else was read from the connection with them. */
const ownBytes = (bytes: Buffer): Buffer =>
  bytes.length === bytes.buffer.byteLength ? bytes : Buffer.from(bytes);

const succeeded = (answer: HttpAnswer): boolean => answer.status >= 200 && answer.status < 300;

const header = (answer: HttpAnswer, name: string): string | null => headerOf(answer.headers, name);

const READERS: Readonly<Record<AnswerForm, (answer: HttpAnswer) => ReadAnswer>> = {
  // The contract says "not JSON" here, but a service that answers in JSON all the same is understood.
  "legacy-form": (answer) => {
    const body = text(answer);
    return common(body.trimStart().startsWith("{") ? parseJson(body) : parseForm(body));
  },
  json: (answer) => common(parseJson(text(answer))),
  // An upload is answered with the id alone, so the id is what says that it worked.
  upload: (answer) => {
    const fields = parseJson(text(answer));
    const read = common(fields);
    const mediaId = nonEmpty(fields?.mediaId);
    return mediaId !== null && read.statusCode === null && succeeded(answer)
      ? { ...read, statusCode: 2000, data: { mediaId } }
      : read;
  },
  // A file has no status code: it is itself the success.
  bytes: (answer) =>
    succeeded(answer)
      ? {
          ...NOTHING,
          statusCode: 2000,
          data: {
            content: ownBytes(answer.body),
            contentType: header(answer, "content-type"),
            contentDisposition: header(answer, "content-disposition"),
          },
        }
      : common(parseJson(text(answer))),
  token: (answer) => ({ ...NOTHING, data: parseJson(text(answer)) }),
};

/** Reads an answer by its operation's form. Never throws: what cannot be read is absent. */
export function readAnswer(form: AnswerForm, answer: HttpAnswer): ReadAnswer {
  return READERS[form](answer);
}

/** The forms of a date in HTTP all start with the day's name; `Date.parse` alone finds dates in anything. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i;

/** `Retry-After` in ms from `now`, or null where there is none that makes sense. */
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
