import assert from "node:assert/strict";
import { UndecodableError } from "../../../../simulator/request/decode-body";
import { decodeMultipart } from "../../../../simulator/request/multipart";
import { UploadedFile } from "../../../../simulator/request/uploaded-file";
import { assertFields } from "../../../support/assert-fields";

const TYPE = "multipart/form-data; boundary=AaB";
const DISPOSITION = "Content-Disposition: form-data";
const FILE = `${DISPOSITION}; name="file"; filename="a.txt"`;
const NOTE = `${DISPOSITION}; name="note"`;

/** A body of these parts between boundaries; one character per byte. */
const body = (...parts: string[]) => `${parts.map((part) => `--AaB\r\n${part}\r\n`).join("")}--AaB--\r\n`;
const part = (content: string, ...headers: string[]) => `${headers.join("\r\n")}\r\n\r\n${content}`;
/** A body of one part. */
const bodyOf = (content: string, ...headers: string[]) => body(part(content, ...headers));
const named = (fileName: string) =>
  bodyOf(
    "x",
    FILE.replace("a.txt", () => fileName),
  );
const decode = (text: string, type = TYPE) => decodeMultipart(Buffer.from(text, "latin1"), type);

function only(text: string, type = TYPE): UploadedFile {
  const [file] = decode(text, type).get("file") ?? [];
  assert.ok(file instanceof UploadedFile);
  return file;
}

describe("simulator: multipart bodies", () => {
  it("hold a file with name, type and bytes", () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index));
    const file = only(bodyOf(bytes, FILE, "Content-Type: image/png; q=1"));
    const content = Buffer.from(bytes, "latin1");
    assertFields(file, { fileName: "a.txt", contentType: "image/png; q=1", content });
  });

  it("may leave out the type and the last line break, and write headers in any case", () => {
    const text = bodyOf("x", FILE.toLowerCase().replace("name=", "NAME=")).slice(0, -2);
    assertFields(only(text), { contentType: "text/plain", size: 1 });
  });

  it("keep what only looks like a boundary, line breaks, and an empty content", () => {
    for (const content of [
      ...["", "\r\n", "\r\n\r\n", "a--AaB--\r\n", "\r\n--AaBc\r\n", "\r\n--AaB \r\n"],
      ...["\r\n--Aa\r\n--", "\n--AaB--"],
    ]) {
      assert.equal(only(bodyOf(content, FILE)).content.toString("latin1"), content);
    }
  });

  it("take the boundary in quotes, with blanks inside, and in either case", () => {
    const withBoundary = (boundary: string) => bodyOf("x", FILE).replaceAll("AaB", boundary);
    const odd = "a b'()+_,-./:=?c";
    only(withBoundary(odd), `multipart/form-data; charset=utf-8; Boundary="${odd}"`);
    assert.throws(() => decode(withBoundary("AaB"), TYPE.toLowerCase()), UndecodableError);
    const long = "b".repeat(70);
    only(withBoundary(long), `multipart/form-data; boundary=${long}`);
  });

  const names: Record<string, [written: string, read: string]> = {
    plain: ["a b.txt", "a b.txt"],
    "in UTF-8": ["K\xc3\xbcche.txt", "Küche.txt"],
    "with a quote as browsers write it": ["a%22b.txt", 'a"b.txt'],
    "with a quote as older clients write it": ['a\\"b\\\\c.txt', 'a"b\\c.txt'],
    "with a semicolon": ["a;b.txt", "a;b.txt"],
    "with other escapes left alone": ["a%20%C3.txt", "a%20%C3.txt"],
    "of 255 characters": ["x".repeat(255), "x".repeat(255)],
  };
  for (const [name, [written, read]] of Object.entries(names))
    it(`have file names ${name}`, () => assert.equal(only(named(written)).fileName, read));

  it("hold texts, unknown names and repeated ones, for others to judge", () => {
    const fields = decode(body(part("Gr\xc3\xbc", NOTE), part("a", FILE), part("b", FILE)));
    assert.deepEqual(fields.get("note"), ["Grü"]);
    assert.equal(fields.get("file")?.length, 2);
    assert.equal(decode("--AaB--").size, 0);
  });

  const good = bodyOf("x", FILE);
  const long = "b".repeat(71);
  const refused: Record<string, [text: string, type?: string]> = {
    "no boundary": [good, "multipart/form-data"],
    "an empty boundary": [good, "multipart/form-data; boundary="],
    "two boundaries": [good, `${TYPE}; boundary=AaB`],
    "a boundary of 71 characters": [good.replaceAll("AaB", long), TYPE.replace("AaB", long)],
    "a boundary that ends with a blank": [good.replaceAll("AaB", "b "), TYPE.replace("AaB", '"b "')],
    "an empty body": [""],
    "another boundary in the body": [good.replaceAll("AaB", "AaC")],
    "something before the first boundary": [`\r\n${good}`],
    "something after the last boundary": [`${good}x`],
    "no last boundary": [good.replace("--AaB--\r\n", "")],
    "a last boundary cut short": [good.replace("--AaB--\r\n", "--AaB-")],
    "a first boundary with something behind it": [good.replace("--AaB\r\n", "--AaB \r\n")],
    "bare line feeds": [good.replaceAll("\r\n", "\n")],
    "a part without a header": [body("x")],
    "a part with an empty header": [body("\r\n\r\nx")],
    "a part without disposition": [bodyOf("x", "Content-Type: text/plain")],
    "another disposition": [bodyOf("x", FILE.replace("form-data", "attachment"))],
    "a part without a name": [bodyOf("x", `${DISPOSITION}; filename="a"`)],
    "a name without quotes": [bodyOf("x", `${DISPOSITION}; name=file`)],
    "an extended file name": [bodyOf("x", `${FILE}; filename*=UTF-8''a`)],
    "an empty file name": [named("")],
    "a file name of 256 characters": [named("x".repeat(256))],
    "a file name in two lines": [named("a%0Ab")],
    "a file name that is not UTF-8": [named("K\xfcche.txt")],
    "a text that is not UTF-8": [bodyOf("\xfc", NOTE)],
    "a type that is none": [bodyOf("x", FILE, "Content-Type: text")],
    "a type with a control character": [bodyOf("x", FILE, "Content-Type: text/plain;\x01")],
    "two types": [bodyOf("x", FILE, "Content-Type: a/b", "content-type: a/b")],
    "a folded header": [bodyOf("x", FILE, " more")],
    "an encoding": [bodyOf("eA==", FILE, "Content-Transfer-Encoding: base64")],
    "a header of more than 8 KiB": [bodyOf("x", FILE, `X-Long: ${"x".repeat(8192)}`)],
    "a type of 256 characters": [bodyOf("x", FILE, `Content-Type: a/${"b".repeat(254)}`)],
    "a text of more than 64 KiB": [bodyOf("x".repeat(65_537), NOTE)],
    "17 parts": [body(...Array(17).fill(part("x", FILE)))],
  };
  for (const [name, [text, type]] of Object.entries(refused))
    it(`are refused with ${name}`, () => assert.throws(() => decode(text, type), UndecodableError));

  it("may have a text of 64 KiB and a type of 255 characters", () => {
    assert.equal(decode(bodyOf("x".repeat(65_536), NOTE)).size, 1);
    only(bodyOf("x", FILE, `Content-Type: a/${"b".repeat(253)}`));
  });

  it("may have 16 parts, other headers, and say that they are binary", () => {
    const binary = part("x", FILE, "Content-Transfer-Encoding: Binary", "X-Other: 1");
    assert.equal(decode(body(...Array(16).fill(binary))).get("file")?.length, 16);
  });
});
