import assert from "node:assert/strict";
import { cloneMessage } from "../../../../lib/runtime/node-red/clone-message";

describe("cloneMessage", () => {
  it("shares nothing that a flow may change", () => {
    const msg = {
      _msgid: "m",
      payload: { list: [{ a: 1 }], at: new Date(7), file: Buffer.from("x"), bytes: new Uint8Array([1]) },
      map: new Map([["a", { b: 1 }]]),
      set: new Set([1]),
      none: null,
      bare: Object.assign(Object.create(null), { a: [1] }),
    };
    const copy = cloneMessage(msg);
    assert.deepEqual(copy, msg);
    assert.ok(Buffer.isBuffer(copy.payload.file));
    assert.equal(Object.getPrototypeOf(copy.bare), null);
    copy.payload.list[0]!.a = 2;
    copy.payload.at.setTime(8);
    copy.payload.file.write("y");
    copy.payload.bytes[0] = 2;
    copy.map.get("a")!.b = 2;
    copy.set.add(2);
    copy.bare.a.push(2);
    assert.deepEqual(
      [msg.payload.list, msg.payload.at.getTime(), msg.payload.file.toString(), msg.payload.bytes[0]],
      [[{ a: 1 }], 7, "x", 1],
    );
    assert.deepEqual([msg.map.get("a"), msg.set.size, msg.bare.a], [{ b: 1 }, 1, [1]]);
  });

  it("copies objects that are in themselves or there twice, and messages without a bottom", () => {
    const msg: Record<string, unknown> = { one: { a: 1 } };
    msg.two = msg.one;
    msg.self = msg;
    const copy = cloneMessage(msg);
    assert.equal(copy.self, copy);
    assert.equal(copy.one, copy.two);
    assert.notEqual(copy.one, msg.one);
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    assert.notEqual(cloneMessage({ deep }).deep, deep);
  });

  it("makes no property a prototype, and goes on where reading fails", () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": true}}');
    const copy = cloneMessage(hostile);
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
    assert.deepEqual(Object.keys(copy), ["__proto__"]);
    const msg = {
      payload: {
        get broken(): string {
          throw new Error("no");
        },
      },
    };
    assert.equal(cloneMessage(msg).payload, msg.payload);
  });
});
