import assert from "node:assert/strict";
import fc from "fast-check";
import { classifyEvent, type ReceiverKind } from "../../../lib/webhook/classify-event";
import {
  deliveryReport,
  inboundBinarySms,
  inboundMessage,
  inboundTextSms,
  statusMessage,
} from "../../../lib/webhook/event-schemas";
import { DEEPEST, parseJson } from "../../../lib/webhook/gates/parse-json";
import { REFUSALS } from "../../../lib/webhook/gates/refusals";
import { BINARY_SMS, MESSAGE, REPORT, STATUS, TEXT_SMS } from "./sample-events";

type Json = Record<string, unknown>;

/** A tenth by default: a mistake that so many runs of every push do not find takes the full form, `npm run test:unit -- --full`. */
const SHARE = process.env.TEST_FULL === "1" ? 1 : 0.1;
/** Runs of each property, and what they must come to. */
const RUNS = {
  bytes: 25_000 * SHARE,
  mutated: 25_000 * SHARE,
  values: 20_000 * SHARE,
  near: 20_000 * SHARE,
  valid: 20_000 * SHARE,
} as const;
const ENOUGH = 100_000 * SHARE;

const RECEIVERS: readonly ReceiverKind[] = ["inbound", "status"];
const KINDS: Readonly<Record<ReceiverKind, readonly string[]>> = {
  inbound: ["inbound", "unrecognised"],
  status: ["status", "report", "unrecognised"],
};
const LAST_PORT: Readonly<Record<ReceiverKind, number>> = { inbound: 1, status: 3 };
const EVENTS: readonly Json[] = [MESSAGE, TEXT_SMS, BINARY_SMS, STATUS, REPORT];

let cases = 0;
let prototypeBefore = "";

function check<T>(runs: number, arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      cases++;
      holds(value);
      assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), prototypeBefore);
    }),
    { numRuns: runs },
  );
}

/** Levels of objects and arrays; by recursion, since the values here are small. */
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

/** By recursion as well, and over the text of every key. */
const reachesPrototype = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(
    ([key, inner]) =>
      key === "__proto__" ||
      (!Array.isArray(value) &&
        key === "constructor" &&
        typeof inner === "object" &&
        inner !== null &&
        Object.keys(inner).includes("prototype")) ||
      reachesPrototype(inner),
  );

/** What the parser has to say, worked out in another way. */
function expected(
  raw: Buffer,
): string | { readonly value: unknown } | { readonly text: string; readonly reasons: string[] } {
  if (raw.length === 0) {
    return "empty";
  }
  let step = "not-utf8";
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(raw);
    step = "not-json";
    const value: unknown = JSON.parse(text);
    const faults = [depthOf(value) > DEEPEST && "too-deep", reachesPrototype(value) && "forbidden-key"];
    const reasons = faults.filter((fault) => fault !== false);
    return reasons.length > 0 ? { text, reasons } : { value };
  } catch {
    return step;
  }
}

function checkParser(raw: Buffer): void {
  const parsed = parseJson(raw);
  const wanted = expected(raw);
  if (!parsed.ok) {
    assert.ok(Object.hasOwn(REFUSALS, parsed.reason));
    assert.equal(parsed.reason, wanted);
    return;
  }
  if (typeof wanted === "object" && "reasons" in wanted) {
    assert.equal(parsed.value, wanted.text);
    assert.ok(wanted.reasons.includes(String(parsed.unparsed)), `${parsed.unparsed}, not ${wanted.reasons}`);
  } else {
    const { value, unparsed } = parsed;
    assert.deepEqual({ value, unparsed }, { ...Object(wanted), unparsed: null });
  }
  checkClassified(parsed.value);
}

function checkClassified(value: unknown): void {
  for (const receiver of RECEIVERS) {
    const { kind, port, sender, id } = classifyEvent(receiver, value);
    assert.ok(KINDS[receiver].includes(kind), kind);
    assert.ok(Number.isInteger(port) && port >= 0 && port <= LAST_PORT[receiver], String(port));
    assert.equal(kind === "unrecognised", port === LAST_PORT[receiver]);
    assert.ok(sender === null || (typeof sender === "string" && sender !== ""));
    assert.ok(id === null || (id.startsWith(`${kind}:`) && id.length < 160));
  }
}

const keys = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom("__proto__", "constructor", "prototype", "toString", "sender", "content", "messageStatus"),
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1e308, "", "delivered", "text", "deliveryReport"),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("value"), { maxLength: 5 }),
    fc
      .array(fc.tuple(keys, tie("value")), { maxLength: 5 })
      // As a parser does it: a key `__proto__` becomes a key like any other.
      .map((entries) =>
        JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)}}`),
      ),
  ),
})).value;

const JSON_PARTS = [...'{}[]":,\\u0 truefalsn123.e-_', "\xef\xbb\xbf", '"__proto__":'];
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  // Bytes that JSON is made of, so that more than the first of them is read.
  fc
    .array(fc.constantFrom(...JSON_PARTS), { maxLength: 60 })
    .map((parts) => Buffer.from(parts.join(""), "latin1")),
  fc.tuple(fc.nat(60), fc.nat(60)).map(([open, shut]) => Buffer.from("[".repeat(open) + "]".repeat(shut))),
  fc.nat(60).map((levels) => Buffer.from(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`)),
);

/** Good JSON with a few bytes changed, added or taken away. */
const mutated = fc
  .tuple(
    fc.oneof(fc.constantFrom<unknown>(...EVENTS), anyJson),
    fc.array(
      fc.record({
        at: fc.nat(1_000),
        cut: fc.nat(3),
        put: fc.oneof(
          fc.constant(""),
          fc.constantFrom("{", "}", '"', "\\", ",", "\\u005f", '"__proto__":{},'),
          fc.uint8Array({ maxLength: 3 }),
        ),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([value, changes]) => {
    let raw = Buffer.from(JSON.stringify(value));
    for (const { at, cut, put } of changes) {
      const where = at % (raw.length + 1);
      raw = Buffer.concat([raw.subarray(0, where), Buffer.from(put as string), raw.subarray(where + cut)]);
    }
    return raw;
  });

/** An event with some fields missing, of another type, or more than there should be. */
const near = fc
  .tuple(
    fc.constantFrom(...EVENTS),
    fc.array(fc.tuple(fc.nat(20), fc.oneof(anyJson, fc.constant(undefined))), { maxLength: 4 }),
    fc.array(fc.tuple(keys, anyJson), { maxLength: 3 }),
  )
  .map(([event, changes, more]) => {
    const names = Object.keys(event);
    const changed = changes.map(([at, value]) => [names[at % names.length], value]);
    return { ...event, ...Object.fromEntries(changed), ...Object.fromEntries(more) };
  });

const text = fc.string({ unit: "binary", maxLength: 20 });
const someText = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
const user = fc.oneof(fc.constant(null), fc.record({ displayName: anyJson }, { requiredKeys: [] }));
const words = (...spelled: string[]): fc.Arbitrary<string> => fc.constantFrom(...spelled);

type Fields = Record<string, fc.Arbitrary<unknown>>;
type Schema = { parse(value: unknown): unknown };
/** Events with all required fields and any of the others, beside their receiver, kind and schema. */
const events = (receiver: ReceiverKind, kind: string, schema: Schema, required: Fields, others: Fields) =>
  fc.tuple(
    fc.constant({ receiver, kind, schema }),
    fc.record({ ...required, ...others }, { requiredKeys: Object.keys(required) }) as fc.Arbitrary<Json>,
  );

/** Events that a flow can work with. */
const valid = fc.oneof(
  events(
    "inbound",
    "inbound",
    inboundMessage,
    { type: text, applicationId: text, sender: text, content: text },
    { user, recipient: anyJson, mediaId: anyJson },
  ),
  events(
    "inbound",
    "inbound",
    inboundTextSms,
    { messageType: words("text", "Text"), senderAddress: text, textMessageContent: text },
    { notificationId: anyJson },
  ),
  events(
    "inbound",
    "inbound",
    inboundBinarySms,
    {
      messageType: words("binary"),
      senderAddress: text,
      binaryMessageContent: fc.array(text, { maxLength: 3 }),
    },
    {},
  ),
  events(
    "status",
    "status",
    statusMessage,
    { messageStatus: text, transferId: someText },
    { clientMessageId: anyJson, sender: anyJson, deliveredOn: anyJson },
  ),
  events(
    "status",
    "report",
    deliveryReport,
    {
      messageType: words("deliveryReport", "DELIVERYREPORT"),
      deliveryReportMessageStatus: text,
      clientMessageId: someText,
    },
    { notificationId: anyJson, deliveredAs: anyJson },
  ),
);
const unknownFields = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }).map((name) => `x-${name}`),
  anyJson,
  { maxKeys: 3 },
);

describe("parser and classification under random input", () => {
  // Libraries of other tests may add to it while all of them are loaded.
  before(() => {
    prototypeBefore = Object.getOwnPropertyNames(Object.prototype).join();
  });

  it("read any bytes, or say why not", () =>
    check(RUNS.bytes, bytes, (raw) => checkParser(Buffer.from(raw))));

  it("read damaged JSON, or say why not", () => check(RUNS.mutated, mutated, checkParser));

  it("give any JSON value a port", () => check(RUNS.values, anyJson, checkClassified));

  it("give any nearly right event a port", () => check(RUNS.near, near, checkClassified));

  it("recognise every event that a flow can work with, and leave it as it came", () => {
    let recognised = 0;
    check(RUNS.valid, fc.tuple(valid, unknownFields), ([[{ receiver, kind, schema }, event], more]) => {
      const raw = Buffer.from(JSON.stringify({ ...more, ...event }));
      const parsed = parseJson(raw);
      assert.ok(parsed.ok);
      if (parsed.unparsed !== null) {
        // Some of the random values in it have keys that reach for a prototype.
        checkParser(raw);
        return;
      }
      recognised++;
      const before = JSON.stringify(parsed.value);
      assert.equal(classifyEvent(receiver, parsed.value).kind, kind);
      assert.equal(JSON.stringify(parsed.value), before, "classification changes nothing");
      assert.deepEqual(schema.parse(parsed.value), parsed.value, "the schema keeps unknown fields");
    });
    assert.ok(recognised > RUNS.valid / 2, String(recognised));
  });

  it(`met at least ${ENOUGH} cases`, () => assert.ok(cases >= ENOUGH, String(cases)));
});
