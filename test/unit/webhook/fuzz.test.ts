import assert from "node:assert/strict";
import fc from "fast-check";
import { classifyEvent } from "../../../lib/webhook/classify-event";
import { parseJson } from "../../../lib/webhook/gates/parse-json";
import { REFUSALS } from "../../../lib/webhook/gates/refusals";
import { BINARY_SMS, MESSAGE, REPORT, STATUS, TEXT_SMS } from "./sample-events";

const EVENTS: readonly object[] = [MESSAGE, TEXT_SMS, BINARY_SMS, STATUS, REPORT];
const PIECES = ["{", "}", '"', "\\", ",", "\\u005f", '"__proto__":{},', "\ufeff"];

/** An event with fields of other types, as bytes of which a few are changed, added or taken away. */
const damaged = fc
  .tuple(
    fc.constantFrom(...EVENTS),
    fc.dictionary(fc.constantFrom(...EVENTS.flatMap(Object.keys)), fc.jsonValue(), { maxKeys: 3 }),
    fc.array(fc.tuple(fc.nat(1_000), fc.nat(3), fc.constantFrom(...PIECES)), { maxLength: 3 }),
  )
  .map(([event, fields, changes]) => {
    let text = JSON.stringify({ ...event, ...fields });
    for (const [at, cut, put] of changes) {
      const where = at % (text.length + 1);
      text = text.slice(0, where) + put + text.slice(where + cut);
    }
    return Buffer.from(text);
  });

describe("parser and classification under random input", () => {
  it("gives any bytes a value and an output, or the reason of a refusal", () => {
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    const bytes = fc.oneof(damaged, fc.uint8Array({ maxLength: 200 }).map(Buffer.from));
    const property = fc.property(bytes, (raw) => {
      const parsed = parseJson(raw);
      if (!parsed.ok) {
        assert.ok(Object.hasOwn(REFUSALS, parsed.reason));
        return;
      }
      for (const [receiver, last] of [
        ["inbound", 1],
        ["status", 3],
      ] as const) {
        const { kind, port, id } = classifyEvent(receiver, parsed.value);
        assert.ok(Number.isInteger(port) && port >= 0 && port <= last, String(port));
        assert.equal(kind === "unrecognised", port === last);
        assert.ok(id === null || (id.startsWith(`${kind}:`) && id.length < 160));
      }
      assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), before);
    });
    fc.assert(property, { numRuns: 3_000 });
  });
});
