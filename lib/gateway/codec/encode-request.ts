import { findNonLatin1, formatCodePoint, percentEncodeLatin1 } from "../../shared/latin1";
import { FieldError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { type FilePart, MultipartSource } from "../http/body/multipart";
import type { Encoding } from "../contract/operations";
import type { ByteSource } from "../contract/byte-source";
import { requireWellFormed } from "../contract/well-formed";

export type RequestFields = Readonly<Record<string, unknown>>;

export interface EncodedFields {
  readonly query: string;
  readonly contentType: string | null;
  readonly body: string | Uint8Array | ByteSource | null;
}

function plainText(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value);
}

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

function latin1Pairs(fields: RequestFields): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) {
      const text = plainText(value);
      refuseNonLatin1(name, text);
      pairs.push(`${percentEncodeLatin1(name)}=${percentEncodeLatin1(text)}`);
    }
  }
  return pairs.join("&");
}

/** JSON escapes an unpaired surrogate, so only JSON with such an escape is checked. */
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
    const file = fields.file as FilePart;
    requireWellFormed(file.name, "file.name");
    const body = new MultipartSource("file", file);
    return { query: "", contentType: body.contentType, body };
  },
  none: () => ({ query: "", contentType: null, body: null }),
};

/** @throws FieldError TEXT_NOT_LATIN1, or FIELD_INVALID for an unpaired surrogate */
export function encodeFields(encoding: Encoding, fields: RequestFields): EncodedFields {
  return ENCODERS[encoding](fields);
}

/** Fills `{name}` in a path and returns the unused fields as `rest`. */
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
