import { buffer } from "node:stream/consumers";
import { Dicer } from "@fastify/busboy";
import { append, decodeUtf8, type RawFields, UndecodableError } from "./decode-body";
import { isContentType, isFileName, UploadedFile } from "./uploaded-file";

const MAX_PARTS = 16;
const MAX_PART_HEADER = 8192;
const MAX_TEXT = 65_536;
/** Content type of a part without one (RFC 7578). */
const DEFAULT_TYPE = "text/plain";

interface Part {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly content: Buffer;
}

/** Refuses bytes outside of the parts, transfer encodings, and names that are not UTF-8 (RFC 7578). */
export async function decodeMultipart(body: Buffer, contentType: string): Promise<RawFields> {
  const boundary = boundaryOf(contentType);
  const start = `--${boundary}`;
  if (![`${start}\r\n`, `${start}--`].includes(body.toString("latin1", 0, start.length + 2))) {
    throw new UndecodableError("the body does not begin with the boundary");
  }
  const fields: RawFields = new Map();
  for (const part of await splitParts(body, boundary)) append(fields, ...readPart(part));
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

function splitParts(body: Buffer, boundary: string): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: Promise<Part>[] = [];
    const refuse = (reason: string) => reject(new UndecodableError(reason));
    const dicer = new Dicer({ boundary });
    dicer.on("part", (stream: Dicer.PartStream) => {
      const part = readStream(stream);
      part.catch(reject);
      parts.push(part);
      if (parts.length > MAX_PARTS) refuse(`more than ${MAX_PARTS} parts`);
    });
    dicer.on("trailer", (rest: Buffer) => {
      if (rest.toString("latin1") !== "\r\n") refuse("something follows the last boundary");
    });
    dicer.on("error", () => refuse("the last boundary is missing"));
    dicer.on("finish", () => void Promise.all(parts).then(resolve, reject));
    dicer.end(body);
  });
}

async function readStream(stream: Dicer.PartStream): Promise<Part> {
  const given: Part["headers"][] = [];
  stream.on("header", (headers: Part["headers"]) => given.push(headers));
  const content = await buffer(stream);
  const [headers] = given;
  if (!headers) throw new UndecodableError("a part has no valid header");
  return { headers, content };
}

function readPart({ headers, content }: Part): [string, string | UploadedFile] {
  for (const [name, values] of Object.entries(headers)) {
    if (!/^[\w-]+$/.test(name)) throw new UndecodableError("a part has a broken header line");
    if (values.length > 1) throw new UndecodableError(`a part has two headers ${name}`);
  }
  if (JSON.stringify(headers).length > MAX_PART_HEADER) {
    throw new UndecodableError(`a part has a header of more than ${MAX_PART_HEADER} bytes`);
  }
  const header = (name: string) => headers[name]?.[0]?.trim();
  const { name, fileName } = readDisposition(utf8(header("content-disposition") ?? ""));
  const encoding = header("content-transfer-encoding");
  if (encoding !== undefined && !/^(7bit|8bit|binary)$/i.test(encoding)) {
    throw new UndecodableError(`part "${name}" is encoded as ${encoding}`);
  }
  if (fileName === null) {
    if (content.length > MAX_TEXT) throw new UndecodableError(`part "${name}" is a text of more than 64 KiB`);
    return [name, utf8(content)];
  }
  const type = header("content-type") ?? DEFAULT_TYPE;
  if (!isContentType(type)) throw new UndecodableError(`part "${name}" has no valid content type`);
  if (!isFileName(fileName)) throw new UndecodableError(`part "${name}" has no valid file name`);
  return [name, new UploadedFile(fileName, type, content)];
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

function utf8(bytes: Buffer | string): string {
  try {
    return decodeUtf8(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  } catch {
    throw new UndecodableError("the header of a part, or its text, is not UTF-8");
  }
}
