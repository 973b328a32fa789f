import assert from "node:assert/strict";
import type { Node } from "node-red";
import { DuplicateStore } from "../../../../lib/runtime/webhook/duplicate-store";
import { DuplicateMemory } from "../../../../lib/webhook/duplicate-memory";
import { waitFor } from "../../../support/wait-for";

type Told = (error?: Error | null, value?: unknown) => void;

/** A context store that the test answers for. */
class FakeContext {
  stored: unknown;
  writes = 0;
  failure: Error | null = null;
  readonly asked: unknown[] = [];
  /** Keeps the end of each write for the test while `hold` is set. */
  held: (() => void) | null = null;
  hold = false;

  get(key: string, store: unknown, told: Told): void {
    this.asked.push(["get", key, store]);
    told(this.failure, this.stored);
  }

  set(key: string, value: unknown, store: unknown, told: Told): void {
    this.asked.push(["set", key, store]);
    this.writes++;
    const end = (): void => {
      this.stored = this.failure === null ? structuredClone(value) : this.stored;
      told(this.failure);
    };
    if (this.hold) {
      this.held = end;
    } else {
      end();
    }
  }
}

/** An open store on a context. */
async function storeOn(context: FakeContext, name = "") {
  const memory = new DuplicateMemory({ age: 1e9, most: 1000 });
  const failures: (string | null)[] = [];
  const node = { context: () => context } as unknown as Node;
  const store = new DuplicateStore(node, name, memory, (error) => failures.push(error?.message ?? null));
  await store.open();
  return { memory, store, failures };
}

describe("store of duplicates", () => {
  it("gives back after a restart what it kept", async () => {
    const context = new FakeContext();
    const before = await storeOn(context, "disk");
    before.memory.noteDone("a");
    await before.store.close();
    const after = await storeOn(context, "disk");
    assert.equal(after.memory.isDone("a"), true);
    assert.deepEqual(context.asked, [
      ["get", "duplicates", "disk"],
      ["set", "duplicates", "disk"],
      ["get", "duplicates", "disk"],
    ]);
  });

  it("leaves the choice to Node-RED where no store is named", async () => {
    const context = new FakeContext();
    await storeOn(context);
    assert.deepEqual(context.asked, [["get", "duplicates", undefined]]);
  });

  it("writes many changes at once, and those of a write that is under way with the next", async () => {
    const context = new FakeContext();
    const { memory, store } = await storeOn(context);
    context.hold = true;
    for (let each = 0; each < 100; each++) {
      memory.noteDone(`k${each}`);
    }
    await waitFor("a write", () => context.held);
    memory.noteDone("late");
    context.hold = false;
    context.held?.();
    await store.close();
    assert.equal(context.writes, 2);
    assert.equal((context.stored as { done: unknown[] }).done.length, 101);
  });

  it("writes nothing where nothing changed", async () => {
    const context = new FakeContext();
    const { store } = await storeOn(context);
    await store.close();
    assert.equal(context.writes, 0);
  });

  it("goes on without a store that fails, says so, and says when it works again", async () => {
    const context = new FakeContext();
    context.failure = new Error("disk full");
    const { memory, store, failures } = await storeOn(context);
    memory.noteDone("a");
    await waitFor("a failed write", () => failures.length === 2);
    assert.equal(memory.isDone("a"), true);
    context.failure = null;
    await waitFor("a good write", () => failures.length === 3);
    assert.deepEqual(failures, ["disk full", "disk full", null]);
    await store.close();
  });

  it("writes nothing over what it could not read, and keeps both once it can", async () => {
    const context = new FakeContext();
    const before = await storeOn(context);
    before.memory.noteDone("old");
    await before.store.close();
    context.failure = new Error("not ready");
    const { memory, store } = await storeOn(context);
    memory.noteDone("new");
    context.failure = null;
    await waitFor("a write", () => context.writes === 2);
    await store.close();
    const after = await storeOn(context);
    assert.deepEqual([after.memory.isDone("old"), after.memory.isDone("new")], [true, true]);
  });

  it("ends for good: a store that works again later is not written by a closed node", async () => {
    const context = new FakeContext();
    const { memory, store, failures } = await storeOn(context);
    context.failure = new Error("disk full");
    memory.noteDone("old");
    await store.close();
    const [writes, said] = [context.writes, failures.length];
    context.failure = null;
    memory.noteDone("later");
    // Another one at the same pace shows that enough time has passed.
    const other = await storeOn(new FakeContext());
    for (const key of ["a", "b"]) {
      other.memory.noteDone(key);
      await other.store.close();
    }
    assert.deepEqual([context.writes, failures.length], [writes, said]);
  });

  it("survives a store that throws", async () => {
    const fail = (): never => {
      throw new Error("no such store");
    };
    const { memory, store, failures } = await storeOn({ get: fail, set: fail } as never);
    memory.noteDone("a");
    await store.close();
    assert.deepEqual(failures, ["no such store", "no such store"]);
  });
});
