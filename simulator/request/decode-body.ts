/** Nesting depth of objects and lists; bounds the recursion of later checks. */
const MAX_LEVELS = 50;

export type RawFields = Map<string, unknown[]>;

export class UndecodableError extends Error {}

/** Decodes `name=value&…` as ISO-8859-1. UTF-8 cannot be detected reliably, so the log shows the decoded text. */
export function decodeForm(text: string, into: RawFields = new Map()): RawFields {
  const raw = /[^\x21-\x7e]/.exec(text);
  if (raw) {
    const byte = raw[0].charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
    throw new UndecodableError(`byte 0x${byte} at offset ${raw.index} must be percent-encoded`);
  }
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = percentDecode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : percentDecode(pair.slice(equals + 1));
    append(into, name, value);
  }
  return into;
}

export function append(fields: RawFields, name: string, value: unknown): void {
  const values = fields.get(name);
  if (values) values.push(value);
  else fields.set(name, [value]);
}

export function decodeUtf8(bytes: Buffer): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function percentDecode(text: string): string {
  const broken = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (broken)
    throw new UndecodableError(`"${text.slice(broken.index, broken.index + 3)}" is not a percent-encoding`);
  return text
    .replaceAll("+", " ")
    .replace(/%(..)/g, (_match, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Decodes a JSON object in UTF-8. Throws for a byte order mark, invalid UTF-8, deep nesting and other JSON values. */
export function decodeJson(body: Buffer): RawFields {
  let value: unknown;
  try {
    value = JSON.parse(decodeUtf8(body));
  } catch {
    throw new UndecodableError("the body is not JSON in UTF-8");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UndecodableError("the body is JSON, but not an object");
  }
  if (isDeeperThan(MAX_LEVELS, value)) {
    throw new UndecodableError(`the body is nested more than ${MAX_LEVELS} levels deep`);
  }
  return new Map(Object.entries(value).map(([name, field]) => [name, [field]]));
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each));
}
