import { findNonLatin1, formatCodePoint, percentEncodeLatin1 } from "../shared/latin1";
import { FieldError } from "../shared/messaging-error";
import { type FilePart, MultipartSource } from "./multipart";
import type { Encoding } from "./operations";
import type { ByteSource } from "./transfer";

/** Fields of a request after the schema passed them. */
export type RequestFields = Readonly<Record<string, unknown>>;

/** What an encoding makes of the fields. `query` starts with nothing, not with `?`. */
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
      `holds '${character}' (U+${formatCodePoint(codePoint)}) at position ${position}, which this interface cannot carry: it only takes Latin-1 characters`,
    );
  }
}

/** @throws FieldError TEXT_NOT_LATIN1 */
function latin1Pairs(fields: RequestFields): string {
  let pairs = "";
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === undefined) {
      continue;
    }
    const text = plainText(value);
    refuseNonLatin1(name, text);
    pairs += `${pairs === "" ? "" : "&"}${name}=${percentEncodeLatin1(text)}`;
  }
  return pairs;
}

const ENCODERS: Readonly<Record<Encoding, (fields: RequestFields) => EncodedFields>> = {
  "form-latin1": (fields) => ({
    query: "",
    contentType: "application/x-www-form-urlencoded",
    body: latin1Pairs(fields),
  }),
  "query-latin1": (fields) => ({ query: latin1Pairs(fields), contentType: null, body: null }),
  json: (fields) => ({ query: "", contentType: "application/json", body: JSON.stringify(fields) }),
  form: (fields) => ({
    query: "",
    contentType: "application/x-www-form-urlencoded",
    body: new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, plainText(value)]),
    ).toString(),
  }),
  multipart: (fields) => {
    const body = new MultipartSource(fields as Readonly<Record<string, FilePart>>);
    return { query: "", contentType: body.contentType, body };
  },
  none: () => ({ query: "", contentType: null, body: null }),
};

/**
 * Turns checked fields into bytes and query. Contract: "Request content type" of each endpoint.
 * @throws FieldError TEXT_NOT_LATIN1
 */
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
