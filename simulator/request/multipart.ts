import { append, decodeUtf8, type RawFields, UndecodableError } from "./decode-body";
import { isContentType, isFileName, UploadedFile } from "./uploaded-file";

const MAX_PARTS = 16;
const MAX_PART_HEADER = 8192;
const MAX_TEXT = 65_536;
/** Content type of a part without one (RFC 7578). */
const DEFAULT_TYPE = "text/plain";
const BLANK_LINE = Buffer.from("\r\n\r\n");

/**
 * Parses a `multipart/form-data` body (RFC 7578): a part with a file name becomes an `UploadedFile`, any other a
 * string. Strict: nothing before the first and after the last boundary, lines end in CRLF, no transfer encoding, names
 * in UTF-8. The files are views of the body, not copies. `Response.formData()` is not strict enough.
 */
export function decodeMultipart(body: Buffer, contentType: string): RawFields {
  const fields: RawFields = new Map();
  for (const part of splitParts(body, boundaryOf(contentType))) {
    append(fields, ...readPart(part));
  }
  return fields;
}

function boundaryOf(contentType: string): string {
  const given = [...contentType.matchAll(/;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/gi)];
  const [, quoted, token] = given[0] ?? [];
  const boundary = quoted ?? token ?? "";
  if (given.length !== 1 || !/^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary)) {
    throw new UndecodableError("the content type must name one boundary of 1 to 70 characters");
  }
  return boundary;
}

function splitParts(body: Buffer, boundary: string): Buffer[] {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  // The first delimiter has no line break before it.
  if (!body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) {
    throw new UndecodableError("the body does not begin with the boundary");
  }
  const parts: Buffer[] = [];
  let at = delimiter.length - 2;
  while (!follows(body, at, "--")) {
    // Only the first delimiter can have other characters after it, see `nextDelimiter`.
    if (!follows(body, at, "\r\n"))
      throw new UndecodableError("the first boundary is not followed by a line break");
    if (parts.length === MAX_PARTS) throw new UndecodableError(`more than ${MAX_PARTS} parts`);
    const start = at + 2;
    const end = nextDelimiter(body, delimiter, start);
    parts.push(body.subarray(start, end));
    at = end + delimiter.length;
  }
  const rest = body.subarray(at + 2);
  if (rest.length > 0 && !rest.equals(Buffer.from("\r\n"))) {
    throw new UndecodableError("something follows the last boundary");
  }
  return parts;
}

/** Offset of the next delimiter. The same bytes followed by another character belong to the content. */
function nextDelimiter(body: Buffer, delimiter: Buffer, from: number): number {
  for (let start = from; ; ) {
    const found = body.indexOf(delimiter, start);
    if (found === -1) throw new UndecodableError("the last boundary is missing");
    const end = found + delimiter.length;
    if (follows(body, end, "--") || follows(body, end, "\r\n")) return found;
    start = found + 1;
  }
}

function follows(body: Buffer, at: number, text: string): boolean {
  return body.toString("latin1", at, at + text.length) === text;
}

function readPart(part: Buffer): [string, string | UploadedFile] {
  const end = part.indexOf(BLANK_LINE);
  if (end === -1 || end > MAX_PART_HEADER) throw new UndecodableError("a part has no valid header");
  const headers = readHeaders(utf8(part.subarray(0, end)));
  const content = part.subarray(end + BLANK_LINE.length);
  const { name, fileName } = readDisposition(headers.get("content-disposition") ?? "");
  const encoding = headers.get("content-transfer-encoding");
  if (encoding !== undefined && !/^(7bit|8bit|binary)$/i.test(encoding)) {
    throw new UndecodableError(`part "${name}" is encoded as ${encoding}`);
  }
  if (fileName === null) {
    if (content.length > MAX_TEXT) throw new UndecodableError(`part "${name}" is a text of more than 64 KiB`);
    return [name, utf8(content)];
  }
  const type = headers.get("content-type") ?? DEFAULT_TYPE;
  if (!isContentType(type)) throw new UndecodableError(`part "${name}" has no valid content type`);
  if (!isFileName(fileName)) throw new UndecodableError(`part "${name}" has no valid file name`);
  return [name, new UploadedFile(fileName, type, content)];
}

function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0));
    const value = trimBlanks(line.slice(colon + 1));
    if (!/^[\w-]+$/.test(name) || /[\r\n]/.test(value))
      throw new UndecodableError("a part has a broken header line");
    if (headers.has(name.toLowerCase())) throw new UndecodableError(`a part has two headers ${name}`);
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

/** Removes leading and trailing spaces and tabs in linear time. */
function trimBlanks(text: string): string {
  const isBlank = (at: number): boolean => text[at] === " " || text[at] === "\t";
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

function readDisposition(value: string): { readonly name: string; readonly fileName: string | null } {
  const form = /^form-data; *name="([^"]*)"(?:; *filename="((?:[^"\\]|\\.)*)")?$/i;
  const [, name, fileName] = form.exec(value) ?? [];
  if (name === undefined) {
    throw new UndecodableError(
      'a part needs Content-Disposition: form-data; name="…", and filename="…" for a file',
    );
  }
  return { name: unescapeName(name), fileName: fileName === undefined ? null : unescapeName(fileName) };
}

/** Decodes quotes as browsers (`%22`) and older clients (`\"`) write them, and line breaks as browsers write them. */
function unescapeName(text: string): string {
  return text
    .replace(/\\(["\\])/g, "$1")
    .replace(/%(22|0D|0A)/gi, (_match, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function utf8(bytes: Buffer): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new UndecodableError("the header of a part, or its text, is not UTF-8");
  }
}
