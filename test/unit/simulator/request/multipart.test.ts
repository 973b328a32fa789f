import assert from "node:assert/strict";
import { UndecodableError } from "../../../../simulator/request/decode-body";
import { decodeMultipart } from "../../../../simulator/request/multipart";
import { UploadedFile } from "../../../../simulator/request/uploaded-file";

const TYPE = "multipart/form-data; boundary=AaB";
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"';

/** A body of these parts between boundaries; one character per byte. */
const body = (...parts: string[]) => `${parts.map((part) => `--AaB\r\n${part}\r\n`).join("")}--AaB--\r\n`;
const part = (content: string, ...headers: string[]) => `${headers.join("\r\n")}\r\n\r\n${content}`;
const decode = (text: string, type = TYPE) => decodeMultipart(Buffer.from(text, "latin1"), type);

function only(text: string, type = TYPE): UploadedFile {
  const [file] = decode(text, type).get("file") ?? [];
  assert.ok(file instanceof UploadedFile);
  return file;
}

describe("simulator: multipart bodies", () => {
  it("hold a file with name, type and bytes", () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index));
    const file = only(body(part(bytes, FILE, "Content-Type: image/png; q=1")));
    assert.deepEqual([file.fileName, file.contentType], ["a.txt", "image/png; q=1"]);
    assert.equal(file.content.toString("latin1"), bytes);
  });

  it("may leave out the type and the last line break, and write headers in any case", () => {
    const text = body(part("x", FILE.toLowerCase().replace("name=", "NAME="))).slice(0, -2);
    assert.deepEqual([only(text).contentType, only(text).size], ["text/plain", 1]);
  });

  it("keep what only looks like a boundary, line breaks, and an empty content", () => {
    for (const content of [
      "",
      "\r\n",
      "\r\n\r\n",
      "a--AaB--\r\n",
      "\r\n--AaBc\r\n",
      "\r\n--AaB \r\n",
      "\r\n--Aa\r\n--",
      "\n--AaB--",
    ]) {
      const text = body(part(content, FILE));
      assert.equal(only(text).content.toString("latin1"), content);
    }
  });

  it("take the boundary in quotes, with blanks inside, and in either case", () => {
    const text = body(part("x", FILE)).replaceAll("AaB", "a b'()+_,-./:=?c");
    only(text, `multipart/form-data; charset=utf-8; Boundary="a b'()+_,-./:=?c"`);
    assert.throws(() => decode(body(part("x", FILE)), TYPE.toLowerCase()), UndecodableError);
    only(
      body(part("x", FILE)).replaceAll("AaB", "b".repeat(70)),
      `multipart/form-data; boundary=${"b".repeat(70)}`,
    );
  });

  const names: Record<string, [string, string]> = {
    plain: ["a b.txt", "a b.txt"],
    "in UTF-8": ["K\xc3\xbcche.txt", "Küche.txt"],
    "with a quote as browsers write it": ["a%22b.txt", 'a"b.txt'],
    "with a quote as older clients write it": ['a\\"b\\\\c.txt', 'a"b\\c.txt'],
    "with a semicolon": ["a;b.txt", "a;b.txt"],
    "with other escapes left alone": ["a%20%C3.txt", "a%20%C3.txt"],
    "of 255 characters": ["x".repeat(255), "x".repeat(255)],
  };
  for (const [name, [written, read]] of Object.entries(names)) {
    it(`have file names ${name}`, () => {
      assert.equal(
        only(
          body(
            part(
              "x",
              FILE.replace("a.txt", () => written),
            ),
          ),
        ).fileName,
        read,
      );
    });
  }

  it("hold texts, unknown names and repeated ones, for others to judge", () => {
    const text = 'Content-Disposition: form-data; name="note"';
    const fields = decode(body(part("Gr\xc3\xbc", text), part("a", FILE), part("b", FILE)));
    assert.deepEqual(fields.get("note"), ["Grü"]);
    assert.equal(fields.get("file")?.length, 2);
    assert.equal(decode("--AaB--").size, 0);
  });

  const good = body(part("x", FILE));
  const refused: Record<string, [string, string?]> = {
    "no boundary": [good, "multipart/form-data"],
    "an empty boundary": [good, "multipart/form-data; boundary="],
    "two boundaries": [good, `${TYPE}; boundary=AaB`],
    "a boundary of 71 characters": [
      good.replaceAll("AaB", "b".repeat(71)),
      `multipart/form-data; boundary=${"b".repeat(71)}`,
    ],
    "a boundary that ends with a blank": [good.replaceAll("AaB", "b "), 'multipart/form-data; boundary="b "'],
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
    "a part without disposition": [body(part("x", "Content-Type: text/plain"))],
    "another disposition": [body(part("x", FILE.replace("form-data", "attachment")))],
    "a part without a name": [body(part("x", 'Content-Disposition: form-data; filename="a"'))],
    "a name without quotes": [body(part("x", "Content-Disposition: form-data; name=file"))],
    "an extended file name": [body(part("x", `${FILE}; filename*=UTF-8''a`))],
    "an empty file name": [body(part("x", FILE.replace("a.txt", "")))],
    "a file name of 256 characters": [body(part("x", FILE.replace("a.txt", "x".repeat(256))))],
    "a file name in two lines": [body(part("x", FILE.replace("a.txt", "a%0Ab")))],
    "a file name that is not UTF-8": [body(part("x", FILE.replace("a.txt", "K\xfcche.txt")))],
    "a text that is not UTF-8": [body(part("\xfc", 'Content-Disposition: form-data; name="note"'))],
    "a type that is none": [body(part("x", FILE, "Content-Type: text"))],
    "a type with a control character": [body(part("x", FILE, "Content-Type: text/plain;\x01"))],
    "two types": [body(part("x", FILE, "Content-Type: a/b", "content-type: a/b"))],
    "a folded header": [body(part("x", FILE, " more"))],
    "an encoding": [body(part("eA==", FILE, "Content-Transfer-Encoding: base64"))],
    "a header of more than 8 KiB": [body(part("x", FILE, `X-Long: ${"x".repeat(8192)}`))],
    "a type of 256 characters": [body(part("x", FILE, `Content-Type: a/${"b".repeat(254)}`))],
    "a text of more than 64 KiB": [
      body(part("x".repeat(65_537), 'Content-Disposition: form-data; name="note"')),
    ],
    "17 parts": [body(...Array.from({ length: 17 }, () => part("x", FILE)))],
  };
  for (const [name, [text, type]] of Object.entries(refused)) {
    it(`are refused with ${name}`, () => {
      assert.throws(() => decode(text, type), UndecodableError);
    });
  }

  it("may have a text of 64 KiB and a type of 255 characters", () => {
    const text = part("x".repeat(65_536), 'Content-Disposition: form-data; name="note"');
    assert.equal(decode(body(text)).size, 1);
    only(body(part("x", FILE, `Content-Type: a/${"b".repeat(253)}`)));
  });

  it("may have 16 parts, other headers, and say that they are binary", () => {
    const many = Array.from({ length: 16 }, () =>
      part("x", FILE, "Content-Transfer-Encoding: Binary", "X-Other: 1"),
    );
    assert.equal(decode(body(...many)).get("file")?.length, 16);
  });
});
