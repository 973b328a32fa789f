import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { fromPlain, TooLong, toPlain } from "../../../../lib/runtime/node-red/plain-value";

const LIMIT = 10_000;

/** What is there again after a restart, and what was named as lost. */
function restored(
  value: unknown,
  limit = LIMIT,
): { readonly value: unknown; readonly lost: readonly string[] } {
  const { value: plain, lost } = toPlain(value, limit);
  return { value: fromPlain(JSON.parse(JSON.stringify(plain ?? null))), lost };
}

describe("a message as JSON", () => {
  const KEPT = [
    ["texts, numbers and truth values", { a: "ü\u0000\ud800", b: 1.5, c: true, d: null, e: [] }],
    ["Buffers", { bytes: Buffer.from([0, 255, 7]), none: Buffer.alloc(0) }],
    ["dates", { when: new Date(5), list: [new Date(0)] }],
    ["numbers that JSON lacks", { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: 12345678901234567890n }],
    ["an entry that marks a type", { inner: { $type: "Buffer", value: "AAAA" } }],
    ["a marked entry in a marked entry", { $type: "Object", value: { $type: "Date", value: 5 } }],
    ["a mark that is no type", { $type: "constructor", value: 5 }],
  ] as const;
  it("restores every value that a flow can put into a message", () => {
    for (const [name, value] of KEPT) assert.deepEqual(restored(value), { value, lost: [] }, name);
  });

  it("keeps an entry named __proto__, and changes no prototype", () => {
    const value = JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":1,"constructor":2}}') as object;
    const { value: again, lost } = restored(value);
    assert.deepEqual(lost, []);
    assert.deepEqual(Object.keys(again as object), ["__proto__", "a"]);
    assert.equal(Object.getPrototypeOf(again), Object.prototype);
    assert.equal((again as { admin?: unknown }).admin, undefined);
    assert.equal(({} as { admin?: unknown }).admin, undefined);
    assert.deepEqual(again, value);
  });

  class Bytes extends Uint8Array {}
  class Message {
    payload = "x";
  }
  const twice = { a: 1 };
  const circle: Record<string, unknown> = { a: 1 };
  circle.self = { again: circle };
  const ROWS: readonly (readonly [
    title: string,
    given: unknown,
    value: unknown,
    lost?: readonly string[],
  ])[] = [
    [
      "keeps what a Function node has made in its own context",
      runInNewContext(
        "({ payload: { a: [1, { b: 'x' }], when: new Date(5), bytes: new Uint8Array([1, 2]) }, none: Object.create(null) })",
      ),
      { payload: { a: [1, { b: "x" }], when: new Date(5), bytes: Buffer.from([1, 2]) }, none: {} },
    ],
    [
      "gives a subclass of a Buffer back as a Buffer, and only its own part of the memory",
      { bytes: new Bytes(new Uint8Array([9, 1, 2, 9]).buffer, 1, 2) },
      { bytes: Buffer.from([1, 2]) },
    ],
    [
      "leaves out and names objects of a class, whatever their context",
      runInNewContext("({ map: new Map(), own: new (class Own {})(), kept: 1, call() {} })"),
      { kept: 1 },
      ["map", "own", "call"],
    ],
    [
      "keeps objects without a prototype",
      { inner: Object.assign(Object.create(null) as object, { a: 1 }) },
      { inner: { a: 1 } },
    ],
    ["keeps the entries of a message that is made by a class", new Message(), { payload: "x" }],
    [
      "leaves out and names what JSON cannot hold",
      {
        req: new Message(),
        payload: { call: () => 1, list: [1, Symbol("x"), new Map()], circle },
        kept: "x",
      },
      { payload: { list: [1, null, null], circle: { a: 1, self: {} } }, kept: "x" },
      ["req", "payload.call", "payload.list[1]", "payload.list[2]", "payload.circle.self.again"],
    ],
    [
      "keeps a value that is there twice, and is no circle",
      { x: twice, y: [twice, twice] },
      { x: twice, y: [twice, twice] },
    ],
  ];
  it("omits and names values that JSON cannot represent", () => {
    for (const [title, given, value, lost = []] of ROWS) {
      assert.deepEqual(restored(given), { value, lost }, title);
    }
  });

  it("omits getters and proxies that throw, and keeps the rest", () => {
    const fail = (): never => {
      throw new Error("no");
    };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const value = {
      before: 1,
      get broken(): unknown {
        return fail();
      },
      proxy: new Proxy({}, { ownKeys: fail }),
      revoked: revoked.proxy,
      get fine() {
        return "x";
      },
    };
    assert.deepEqual(restored(value), {
      value: { before: 1, fine: "x" },
      lost: ["broken", "proxy", "revoked"],
    });
  });

  it("refuses at once what is longer than it may be", () => {
    for (const [name, value] of [
      ["a text", { a: "x".repeat(LIMIT) }],
      ["a Buffer", { a: Buffer.alloc(LIMIT) }],
      [
        "many entries",
        Object.fromEntries(Array.from({ length: LIMIT / 10 }, (_unused, at) => [`key-${at}`, at])),
      ],
      ["a list", { a: Array.from({ length: LIMIT }, () => 1) }],
      ["a list of holes", { a: new Array(2 ** 32 - 1) }],
      ["the same text many times", { a: Array.from({ length: 20 }, () => "x".repeat(1_000)) }],
    ] as const) {
      assert.throws(() => toPlain(value, LIMIT), TooLong, name);
    }
  });
});
