import { findNonLatin1, formatCodePoint, percentEncodeLatin1 } from "../../shared/latin1";
import { FieldError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { type FilePart, MultipartSource } from "../http/body/multipart";
import type { Encoding } from "../contract/operations";
import type { ByteSource } from "../contract/byte-source";
import { requireWellFormed } from "../contract/well-formed";

/** Fields of a request that the schema has checked. */
export type RequestFields = Readonly<Record<string, unknown>>;

/** Encoded fields. `query` has no leading `?`. */
export interface EncodedFields {
  readonly query: string;
  readonly contentType: string | null;
  readonly body: string | Uint8Array | ByteSource | null;
}

/** A list travels once, joined by commas; a flag as `true` or `false`. */
function plainText(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value);
}

/** @throws FieldError TEXT_NOT_LATIN1 naming the character and where it stands */
function refuseNonLatin1(name: string, text: string): void {
  const stray = findNonLatin1(text);
  if (stray !== null) {
    const { character, codePoint, position } = stray;
    throw new FieldError(
      "TEXT_NOT_LATIN1",
      name,
      say("fields.not-latin1", {
        character: quoteValue(character),
        code: formatCodePoint(codePoint),
        position,
      }),
    );
  }
}

/** Each of the 256 characters as written in a form body. */
const ENCODED = Array.from({ length: 256 }, (_none, code) =>
  Buffer.from(percentEncodeLatin1(String.fromCharCode(code)), "latin1"),
);
/** The one byte of a character that is written as one, else 0. */
const SINGLE = Uint8Array.from(ENCODED, (bytes) => (bytes.length === 1 ? (bytes[0] as number) : 0));
const EQUALS = 0x3d;
const AND = 0x26;

/** The buffer in which a body is built, so that it becomes one flat string. */
let buffer = Buffer.alloc(16 * 1024);

/** @returns where it ends, or -1 where a character is not Latin-1 */
function write(text: string, from: number): number {
  if (from + text.length * 3 + 2 > buffer.length) {
    const larger = Buffer.alloc((from + text.length * 3) * 2);
    buffer.copy(larger, 0, 0, from);
    buffer = larger;
  }
  let end = from;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 255) {
      return -1;
    }
    const single = SINGLE[code] as number;
    if (single !== 0) {
      buffer[end++] = single;
    } else {
      const bytes = ENCODED[code] as Buffer;
      buffer[end++] = bytes[0] as number;
      buffer[end++] = bytes[1] as number;
      buffer[end++] = bytes[2] as number;
    }
  }
  return end;
}

/** @throws FieldError TEXT_NOT_LATIN1 */
function latin1Pairs(fields: RequestFields): string {
  let end = 0;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === undefined) {
      continue;
    }
    const text = plainText(value);
    if (end > 0) {
      buffer[end++] = AND;
    }
    end = write(name, end);
    buffer[end++] = EQUALS;
    end = write(text, end);
    if (end < 0) {
      refuseNonLatin1(name, text);
    }
  }
  const pairs = buffer.toString("latin1", 0, end);
  if (buffer.length > LARGEST_BUFFER) {
    buffer = Buffer.alloc(16 * 1024);
  }
  return pairs;
}

/** Bytes of the largest buffer that is kept for the next body. */
const LARGEST_BUFFER = 256 * 1024;

/** JSON writes half of a surrogate pair as an escape, so only such JSON is checked. @throws FieldError FIELD_INVALID */
function jsonText(fields: RequestFields): string {
  const text = JSON.stringify(fields);
  if (text.includes("\\ud")) {
    requireWellFormed(fields);
  }
  return text;
}

const ENCODERS: Readonly<Record<Encoding, (fields: RequestFields) => EncodedFields>> = {
  "form-latin1": (fields) => ({
    query: "",
    contentType: "application/x-www-form-urlencoded",
    body: latin1Pairs(fields),
  }),
  "query-latin1": (fields) => ({ query: latin1Pairs(fields), contentType: null, body: null }),
  json: (fields) => ({ query: "", contentType: "application/json", body: jsonText(fields) }),
  form: (fields) => ({
    query: "",
    contentType: "application/x-www-form-urlencoded",
    body: new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, plainText(value)]),
    ).toString(),
  }),
  multipart: (fields) => {
    const parts = fields as Readonly<Record<string, FilePart>>;
    for (const [field, { name }] of Object.entries(parts)) {
      requireWellFormed(name, `${field}.name`);
    }
    const body = new MultipartSource(parts);
    return { query: "", contentType: body.contentType, body };
  },
  none: () => ({ query: "", contentType: null, body: null }),
};

/** Turns checked fields into bytes and query. @throws FieldError TEXT_NOT_LATIN1, or FIELD_INVALID for half of a surrogate pair */
export function encodeFields(encoding: Encoding, fields: RequestFields): EncodedFields {
  return ENCODERS[encoding](fields);
}

/** Fills `{name}` in a path from the fields. @returns the path and the fields it did not use */
export function fillPath(template: string, fields: RequestFields): { path: string; rest: RequestFields } {
  if (!template.includes("{")) {
    return { path: template, rest: fields };
  }
  const rest: Record<string, unknown> = { ...fields };
  const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(fields[name]));
  });
  return { path, rest };
}
