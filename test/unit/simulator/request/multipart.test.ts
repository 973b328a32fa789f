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

async function only(text: string, type = TYPE): Promise<UploadedFile> {
  const [file] = (await decode(text, type)).get("file") ?? [];
  assert.ok(file instanceof UploadedFile);
  return file;
}

describe("simulator: multipart bodies", () => {
  it("contain a file with name, type and bytes", async () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index));
    const file = await only(bodyOf(bytes, FILE, "Content-Type: image/png; q=1"));
    const content = Buffer.from(bytes, "latin1");
    assertFields(file, { fileName: "a.txt", contentType: "image/png; q=1", content });
  });

  it("keep false boundaries, line breaks and an empty content", async () => {
    for (const content of [...["", "\r\n", "\r\n\r\n", "a--AaB--\r\n", "\r\n--Aa\r\n--", "\n--AaB--"]]) {
      assert.equal((await only(bodyOf(content, FILE))).content.toString("latin1"), content);
    }
  });
  const good = bodyOf("x", FILE);
  const long = "b".repeat(71);
  const refused: Record<string, [text: string, type?: string]> = {
    "no boundary": [good, "multipart/form-data"],
    "an empty boundary": [good, "multipart/form-data; boundary="],
    "two boundaries": [good, `${TYPE}; boundary=AaB`],
    "a boundary of 71 characters": [good.replaceAll("AaB", long), TYPE.replace("AaB", long)],
    "an empty body": [""],
    "the boundary in a file": [bodyOf("\r\n--AaBc\r\n", FILE)],
    "another boundary in the body": [good.replaceAll("AaB", "AaC")],
    "something after the last boundary": [`${good}x`],
    "no last boundary": [good.replace("--AaB--\r\n", "")],
    "a first boundary with something behind it": [good.replace("--AaB\r\n", "--AaB \r\n")],
    "bare line feeds": [good.replaceAll("\r\n", "\n")],
    "a part without a header": [body("x")],
    "a part without disposition": [bodyOf("x", "Content-Type: text/plain")],
    "another disposition": [bodyOf("x", FILE.replace("form-data", "attachment"))],
    "an extended file name": [bodyOf("x", `${FILE}; filename*=UTF-8''a`)],
    "an empty file name": [named("")],
    "a file name of 256 characters": [named("x".repeat(256))],
    "a file name in two lines": [named("a%0Ab")],
    "a file name that is not UTF-8": [named("K\xfcche.txt")],
    "a type that is none": [bodyOf("x", FILE, "Content-Type: text")],
    "two types": [bodyOf("x", FILE, "Content-Type: a/b", "content-type: a/b")],
    "a folded header": [bodyOf("x", FILE, " more")],
    "an encoding": [bodyOf("eA==", FILE, "Content-Transfer-Encoding: base64")],
    "a header of more than 8 KiB": [bodyOf("x", FILE, `X-Long: ${"x".repeat(8192)}`)],
    "a type of 256 characters": [bodyOf("x", FILE, `Content-Type: a/${"b".repeat(254)}`)],
    "a text of more than 64 KiB": [bodyOf("x".repeat(65_537), NOTE)],
    "17 parts": [body(...Array(17).fill(part("x", FILE)))],
  };
  for (const [name, [text, type]] of Object.entries(refused))
    it(`are refused with ${name}`, () => assert.rejects(decode(text, type), UndecodableError));
});
