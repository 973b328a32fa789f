import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { BodyBuffer } from "../../../../lib/gateway/http/body/body-buffer";

describe("pieces of an answer", () => {
  it("come out as they went in, however they are cut", () => {
    const lengths = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 70_000 }));
    fc.assert(
      fc.property(fc.array(lengths, { maxLength: 40 }), (cuts) => {
        const pieces = cuts.map((length) => randomBytes(length));
        const kept = new BodyBuffer();
        for (const piece of pieces) {
          kept.add(piece);
        }
        assert.ok(kept.join().equals(Buffer.concat(pieces)));
      }),
      { numRuns: 50 },
    );
  });

  it("do not hold the memory that they came in", () => {
    const kept = new BodyBuffer();
    const read = Buffer.from("first, second");
    kept.add(read.subarray(0, 7));
    kept.add(read.subarray(7));
    const whole = kept.join();
    read.fill("-");
    assert.equal(whole.toString(), "first, second");
  });
});
