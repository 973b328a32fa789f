/** Objects and lists inside each other; what looks at them later may then recurse. */
const MOST_LEVELS = 50;

/** Parameters as they arrived: name → every value given for it, in order. */
export type RawFields = Map<string, unknown[]>;

/** Thrown where the bytes can't be read at all; the message says why and is shown to the caller. */
export class UndecodableError extends Error {}

/**
 * Reads `name=value&…` as ISO-8859-1: each `%XX` is one character, `+` is a space. Whether the sender meant
 * UTF-8 can't be told for certain, so what comes out is kept in the log for the test to look at.
 * @param text the form or query as it came over the wire, one character per byte
 */
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
    const values = into.get(name);
    if (values) values.push(value);
    else into.set(name, [value]);
  }
  return into;
}

function percentDecode(text: string): string {
  const broken = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (broken)
    throw new UndecodableError(`"${text.slice(broken.index, broken.index + 3)}" is no percent-encoding`);
  return text
    .replaceAll("+", " ")
    .replace(/%(..)/g, (_match, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Reads a JSON object in UTF-8; a byte order mark, bad UTF-8, deep nesting and anything but an object are refused. */
export function decodeJson(body: Buffer): RawFields {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new UndecodableError("the body is not JSON in UTF-8");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UndecodableError("the body is JSON, but not an object");
  }
  if (isDeeperThan(MOST_LEVELS, value)) {
    throw new UndecodableError(`the body is nested more than ${MOST_LEVELS} levels deep`);
  }
  return new Map(Object.entries(value).map(([name, field]) => [name, [field]]));
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each));
}
