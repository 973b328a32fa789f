import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { dispositionFileName } from "../../../../nodes/media-transfer/runtime/content-disposition";
import { extensionOfType } from "../../../../nodes/media-transfer/runtime/file-types";
import { FileSink } from "../../../../nodes/media-transfer/runtime/file-sink";
import { resolvePath } from "../../../../nodes/media-transfer/runtime/media-settings";
import { safeFileName } from "../../../../nodes/media-transfer/runtime/file-name";

/** What attackers and phones alike put into names. */
const NASTY = [
  ...["..", "/", "\\", "\0", ".", " ", "~", "%2e%2e%2f", "C:", "\u202e", "con", "NUL", ":", "…", "é"],
  ...["e\u0301", "\ud800", "😀", ".png", "\r\n", "|", '"'],
];
const nasty = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: "binary" }), fc.string()), { maxLength: 40 })
  .map((parts) => parts.join(""));

/** Without halves of surrogate pairs, which no header can carry. */
const wellFormed = (text: string): string => Buffer.from(text, "utf8").toString("utf8");

describe("extensionOfType", () => {
  it("knows the types that phones send", () => {
    for (const [type, extension] of [
      ["image/jpeg", ".jpg"],
      ["image/jpg", ".jpg"],
      ["IMAGE/PJPEG", ".jpg"],
      ["image/heif", ".heif"],
      ["image/x-png", ".png"],
      ["audio/x-m4a", ".m4a"],
      ["audio/m4a", ".m4a"],
      ["audio/opus", ".opus"],
      ["audio/x-mp3", ".mp3"],
      ["audio/ogg; codecs=opus", ".ogg"],
      ["video/3gp", ".3gp"],
      ["text/x-vcard", ".vcf"],
      ["text/vcard", ".vcf"],
      ["image/exe", ".bin"],
      ["application/octet-stream", ".bin"],
      ["", ".bin"],
    ] as const) {
      assert.equal(extensionOfType(type), extension, type);
    }
  });
});

describe("file names", () => {
  it("stay inside the folder on disk, through a header and with every choice", async () => {
    const folder = mkdtempSync(join(tmpdir(), "names-"));
    const inner = join(folder, "in", "side");
    try {
      const write = async (given: string, existing: string, extended: boolean): Promise<void> => {
        const header = extended
          ? `attachment; filename*=UTF-8''${encodeURIComponent(wellFormed(given))}`
          : `attachment; filename="${given}"`;
        const name = safeFileName(dispositionFileName(header) ?? "") ?? "file";
        const sink = await FileSink.create(inner, name, existing as "number");
        await sink.write(Buffer.from("x"));
        await sink.finish();
        assert.equal(dirname(sink.path ?? ""), inner);
        assert.equal(readFileSync(sink.path ?? "", "utf8"), "x");
        assert.deepEqual(readdirSync(folder), ["in"]);
        assert.deepEqual(readdirSync(join(folder, "in")), ["side"]);
      };
      const choices = fc.constantFrom("number", "overwrite");
      await fc.assert(fc.asyncProperty(nasty, choices, fc.boolean(), write), { numRuns: 100 });
      const hidden = readdirSync(inner).filter((name) => name.startsWith("."));
      assert.deepEqual(hidden, []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("make a name for one folder of what a sender calls a file", () => {
    for (const [given, expected] of [
      ["photo.jpg", "photo.jpg"],
      ["../../etc/passwd", "passwd"],
      ["..\\..\\boot.ini", "boot.ini"],
      [".htaccess", "htaccess"],
      ["...", null],
      ["", null],
      ["/", null],
      ["a/..", null],
      ["CON", "_CON"],
      ["aux.txt", "_aux.txt"],
      ["com1 .log", "_com1 .log"],
      ["console.log", "console.log"],
      ["a.txt:stream", "a.txt_stream"],
      ["invoice\u202efdp.exe", "invoicefdp.exe"],
      ["a\0b.png", "ab.png"],
      ["name. ", "name"],
      ["e\u0301.png", "é.png"],
    ] as const) {
      assert.equal(safeFileName(given), expected);
    }
  });

  it("cut a long name before its extension, between characters", () => {
    const name = safeFileName(`${"😀".repeat(300)}.jpeg`) ?? "";
    assert.match(name, /^(😀)+\.jpeg$/u);
    assert.ok(Buffer.byteLength(name) <= 200 && Buffer.byteLength(name) > 195);
    assert.equal(Buffer.byteLength(safeFileName(`a.${"x".repeat(500)}`) ?? ""), 200);
  });
});

describe("content-disposition", () => {
  it("gives the name of a file in each form that servers send", () => {
    for (const [header, expected] of [
      [null, null],
      ["", null],
      ["attachment", null],
      ["inline; filename=a.png", "a.png"],
      ['attachment; filename="a b.png"', "a b.png"],
      ['attachment; FileName="a\\"b\\\\c.png"', 'a"b\\c.png'],
      ["attachment; filename*=UTF-8''%e2%82%ac%20rates", "€ rates"],
      ["attachment; filename=plain.txt; filename*=UTF-8'en'%C3%BC.txt", "ü.txt"],
      ["attachment; filename*=UTF-8''%C3%BC.txt; filename=plain.txt", "ü.txt"],
      ["attachment; filename*=ISO-8859-1''%FC.txt", "ü.txt"],
      ["attachment; filename*=UTF-8''%FF; filename=plain.txt", "plain.txt"],
      ["attachment; filename*=KOI8-R''%FF; filename=plain.txt", "plain.txt"],
      ["attachment; filename*=nonsense", null],
      [Buffer.from('attachment; filename="ü.png"').toString("latin1"), "ü.png"],
      ['attachment; filename="ü.png"', "ü.png"],
      ['attachment; filename="x;filename=y"', "x;filename=y"],
      ['attachment; filename=""', null],
    ] as const) {
      assert.equal(dispositionFileName(header), expected);
    }
  });

  it("reads anything without failing, and in no time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        dispositionFileName(`attachment;${text}`);
        dispositionFileName(text);
      }),
    );
    // Each takes minutes where the time grows with the square of the length.
    dispositionFileName(`attachment; filename="${"\\a".repeat(1_000_000)}`);
    dispositionFileName(`;${" ".repeat(1_000_000)}`);
    dispositionFileName(`; a=${'"'.repeat(1_000_000)}`);
  });
});

describe("media types and paths", () => {
  it("accepts complete paths and paths below the user directory", () => {
    assert.equal(resolvePath("/a/../b", undefined), "/b");
    assert.equal(resolvePath("media", "/home/red"), "/home/red/media");
    assert.throws(() => resolvePath("media", undefined), { code: "BAD_SETTING" });
  });
});

describe("file sink", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sink-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("shows a file under its name only when it is whole, and clears away what is not", async () => {
    const sink = await FileSink.create(folder, "a", "number");
    await sink.write(Buffer.from("abc"));
    assert.equal(existsSync(join(folder, "a")), false);
    assert.match(readdirSync(folder).join(), /^\.[\w-]+\.part$/);
    await sink.discard();
    await sink.discard();
    assert.deepEqual(readdirSync(folder), []);
  });

  it("gives one name to one of many that want it at the same time", async () => {
    const create = () => FileSink.create(folder, "a.b", "number");
    const sinks = await Promise.all(Array.from({ length: 20 }, create));
    await Promise.all(sinks.map((sink, at) => sink.write(Buffer.from(String(at))).then(() => sink.finish())));
    assert.equal(new Set(sinks.map(({ path }) => path)).size, 20);
    assert.equal(readdirSync(folder).length, 20);
    for (const [at, sink] of sinks.entries()) {
      assert.equal(readFileSync(sink.path ?? "", "utf8"), String(at));
    }
    const refusing = await Promise.all([1, 2].map(() => FileSink.create(folder, "c", "refuse")));
    const ends = await Promise.allSettled(refusing.map((sink) => sink.finish()));
    assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  });
});
