import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { openText, sealText } from "../../../../lib/runtime/store/seal";
import { isSealed } from "../../../../lib/store/schema/sealed-text";

const KEY = randomBytes(32);
const TEXT = "Your code is 4711 – Grüße 😀";

describe("seal of a text", () => {
  it("opens with the same key for what it belongs to, also a blank and a long text", () => {
    for (const text of [TEXT, "", "x".repeat(1_000_000)]) {
      assert.equal(openText(KEY, "job 1", sealText(KEY, "job 1", text)), text);
    }
  });

  it("shows nothing of the text, and is another one each time", () => {
    const sealed = sealText(KEY, "job 1", TEXT);
    assert.ok(isSealed(sealed));
    assert.match(sealed, /^[\x21-\x7e]+$/);
    const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(":") + 1), "base64").toString("latin1");
    assert.doesNotMatch(sealed + bytes, /4711|code/);
    assert.notEqual(sealed, sealText(KEY, "job 1", TEXT));
  });

  it("does not open for something else, or with another key", () => {
    const sealed = sealText(KEY, "job 1", TEXT);
    assert.equal(openText(KEY, "job 2", sealed), null);
    assert.equal(openText(randomBytes(32), "job 1", sealed), null);
  });

  it("does not open where any byte of it was changed, or a part is missing", () => {
    const sealed = sealText(KEY, "job 1", "4711");
    const begin = sealed.lastIndexOf(":") + 1;
    const bytes = Buffer.from(sealed.slice(begin), "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const parts = [changed, bytes.subarray(0, at), bytes.subarray(at + 1)];
      for (const part of parts) {
        assert.equal(openText(KEY, "job 1", sealed.slice(0, begin) + part.toString("base64")), null, `${at}`);
      }
    }
  });

  it("takes nothing for sealed that is not", () => {
    for (const text of ["", "{}", '{"messageContent":"sealed:1:"}', "sealed", "sealed:2:AAAA", "null"]) {
      assert.equal(isSealed(text), false, text);
      assert.equal(openText(KEY, "job 1", text), null, text);
    }
    assert.equal(openText(KEY, "job 1", "sealed:1:"), null);
    assert.equal(openText(KEY, "job 1", "sealed:1:!!!"), null);
  });
});
