import assert from "node:assert/strict";
import { DuplicateMemory } from "../../../lib/webhook/duplicate-memory";

const HOUR = 3_600_000;

function memoryAt(most = 100, age = 48 * HOUR) {
  const clock = { now: 1_000_000 };
  return { clock, memory: new DuplicateMemory({ age, most }, () => clock.now) };
}

describe("memory of duplicates", () => {
  it("knows what is done until it is old", () => {
    const { clock, memory } = memoryAt();
    memory.noteDone("a");
    clock.now += 48 * HOUR - 1;
    assert.equal(memory.isDone("a"), true);
    clock.now += 1;
    assert.equal(memory.isDone("a"), false);
  });

  it("lets each cut answer explain one redelivery, for ten minutes", () => {
    const { clock, memory } = memoryAt();
    memory.noteCut("yes");
    memory.noteCut("yes");
    const taken = [1, 2, 3].map(() => memory.takeCut("yes"));
    assert.deepEqual(taken, [true, true, false]);
    memory.noteCut("yes");
    clock.now += 600_000;
    assert.equal(memory.takeCut("yes"), false);
  });

  it("finds keys suspicious for ten minutes", () => {
    const { clock, memory } = memoryAt();
    memory.noteSeen("a");
    assert.equal(memory.wasSeen("a"), true);
    clock.now += 600_000;
    assert.equal(memory.wasSeen("a"), false);
  });

  it("survives as JSON, with the ages that it had", () => {
    const before = memoryAt();
    before.memory.noteDone("old");
    before.memory.noteCut("cut");
    before.memory.noteSeen("seen");
    const saved: unknown = JSON.parse(JSON.stringify(before.memory.state()));
    const { clock, memory } = memoryAt();
    clock.now += 60_000;
    memory.noteDone("new");
    memory.restore(saved);
    assert.deepEqual([memory.isDone("old"), memory.isDone("new")], [true, true]);
    assert.equal(memory.wasSeen("seen"), true);
    assert.deepEqual([memory.takeCut("cut"), memory.takeCut("cut")], [true, false]);
    clock.now += 48 * HOUR - 60_000;
    assert.deepEqual([memory.isDone("old"), memory.isDone("new")], [false, true]);
  });

  it("takes nothing from what is no state of its own", () => {
    const bad = [null, 7, "x", [], {}, { version: 2, done: [["a", 1, 1]] }];
    const numbers = [
      ["b", "1", 1],
      ["c", 1, 0],
      ["d", Number.NaN, 1],
      ["f", 1, 1.5],
      [1, 1, 1],
    ];
    const entries = [["a"], null, "e", ...numbers];
    const { memory } = memoryAt();
    for (const state of [...bad, { version: 1, done: entries, cut: "no", seen: null }]) {
      memory.restore(state);
    }
    assert.deepEqual(memory.state(), { version: 1, done: [], cut: [], seen: [] });
  });

  it("says when there is something new to store", () => {
    const { memory } = memoryAt();
    const at = [memory.changes];
    for (const change of [
      () => memory.noteDone("a"),
      () => memory.noteCut("a"),
      () => memory.noteSeen("a"),
      () => memory.takeCut("a"),
    ]) {
      change();
      at.push(memory.changes);
    }
    assert.equal(new Set(at).size, 5);
    memory.takeCut("a");
    memory.isDone("a");
    memory.wasSeen("a");
    assert.equal(memory.changes, at.at(-1));
  });

  it("holds its bound under a flood", () => {
    const { memory } = memoryAt(1000);
    for (let each = 0; each < 50_000; each++) {
      memory.noteDone(`d${each}`);
      memory.noteSeen(`s${each}`);
      memory.noteCut(`c${each}`);
    }
    const { done, cut, seen } = memory.state();
    assert.deepEqual([done.length, cut.length, seen.length], [1000, 1000, 1000]);
  });
});
