import assert from "node:assert/strict";
import { KeyHolder, MemoryOnceKeys } from "../../../../../lib/runtime/guards/memory/memory-once-keys";
import type { Once } from "../../../../../lib/store/guards/request-rules";

const [A, B] = ["41790000001", "41790000002"] as const;
const once = (key: string, within = 1_000, hash = "h"): Once => ({ key, within, hash });

describe("once keys in memory", () => {
  it("belong to the first holder for each number, until the end of their time", async () => {
    const keys = new MemoryOnceKeys();
    const first = new KeyHolder("h");
    assert.deepEqual(keys.take(once("k"), [A], first, 5_000), { held: [], full: [] });
    const second = new KeyHolder("h");
    const taken = keys.take(once("k"), [A, B], second, 5_999);
    assert.deepEqual(taken.held, [
      { number: A, reason: "already-sent", first: { at: 5_000, outcome: null } },
    ]);
    first.outcome = "unknown";
    const [held] = keys.take(once("k", 1_000, "other"), [A], new KeyHolder("other"), 5_999).held;
    assert.deepEqual(held, { number: A, reason: "key-reused", first: { at: 5_000, outcome: "unknown" } });
    assert.deepEqual(keys.take(once("k"), [A], new KeyHolder("h"), 6_000).held, []);
    assert.deepEqual(
      (await keys.find("k", [A, B, "x"], 6_000)).map(({ number, at }) => [number, at]),
      [
        [A, 6_000],
        [B, 5_999],
      ],
    );
    assert.deepEqual(await keys.find("other", [A], 6_000), []);
  });

  it("stay with their holder when it asks again, from that moment on", async () => {
    const keys = new MemoryOnceKeys();
    const holder = new KeyHolder("h");
    keys.take(once("k"), [A], holder, 0);
    assert.deepEqual(keys.take(once("k"), [A], holder, 900).held, []);
    assert.equal((await keys.find("k", [A], 1_899)).length, 1);
    assert.equal((await keys.find("k", [A], 1_900)).length, 0);
  });

  it("are freed by their holder only", async () => {
    const keys = new MemoryOnceKeys();
    const holder = new KeyHolder("h");
    keys.take(once("k"), [A, B], holder, 0);
    keys.free(once("k"), [A, B], new KeyHolder("h"));
    assert.equal((await keys.find("k", [A, B], 1)).length, 2);
    keys.free(once("k"), [A], holder);
    assert.deepEqual(
      (await keys.find("k", [A, B], 1)).map(({ number }) => number),
      [B],
    );
  });

  it("of the past leave the memory while new ones come", () => {
    const keys = new MemoryOnceKeys();
    for (let n = 0; n < 10_000; n++) {
      keys.take(once(`k${n}`, 100), [A], new KeyHolder("h"), n);
    }
    assert.ok(keys.size <= 400, `${keys.size} in memory, 100 in use`);
  });

  it("that find no space are not taken, until others end or are freed", () => {
    const keys = new MemoryOnceKeys(3);
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
