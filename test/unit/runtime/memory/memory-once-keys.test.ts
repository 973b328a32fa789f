import assert from "node:assert/strict";
import { KeyHolder, MemoryOnceKeys } from "../../../../lib/runtime/memory/memory-once-keys";
import type { Once } from "../../../../lib/store/guards/request-rules";

const [A, B] = ["41790000001", "41790000002"] as const;
const once = (key: string, within = 1_000, hash = "h"): Once => ({ key, within, hash });

describe("once keys in memory", () => {
  it("of the past leave the memory while new ones come", () => {
    const keys = new MemoryOnceKeys();
    for (let n = 0; n < 10_000; n++) {
      keys.take(once(`k${n}`, 100), [A], new KeyHolder("h"), n);
    }
    assert.ok(keys.size <= 400, `${keys.size} in memory, 100 in use`);
  });

  it("that find no space are not taken, until others end or are freed", () => {
    const keys = new MemoryOnceKeys(undefined, 3);
    const holder = new KeyHolder("h");
    for (const key of ["a", "b", "c"]) {
      keys.take(once(key), [A], holder, 0);
    }
    const next = new KeyHolder("h");
    assert.deepEqual(keys.take(once("d"), [A], next, 999), { held: [], full: [A] });
    assert.deepEqual(keys.take(once("a"), [A], holder, 0).full, [], "a key that is there needs no space");
    keys.free(once("b"), [A], holder);
    assert.deepEqual(keys.take(once("d"), [A, B], next, 999).full, [B]);
    assert.deepEqual(keys.take(once("e"), [A], new KeyHolder("h"), 1_000).full, []);
  });
});
