import assert from "node:assert/strict";
import { ShortOperations } from "../../../lib/store/engine/postgresql/short-operations";
import type { NamedQuery } from "../../../lib/store/engine/postgresql/postgresql-pipeline";
import { StoreError } from "../../../lib/store/engine/store-error";
import { waitFor } from "../../support/wait-for";

const query = (name: string, value = ""): NamedQuery => ({ name, text: "", values: [value] });
const error = (uncertain: boolean): StoreError => new StoreError("STORE_SLOW", "x", "", uncertain);

/** Transactions that end when the test says so. */
class Transactions {
  readonly begun: {
    readonly names: string;
    readonly isShort: boolean;
    readonly isShared: boolean;
    readonly end: (error?: StoreError) => void;
  }[] = [];

  readonly start = (queries: readonly NamedQuery[], isShort: boolean, isShared: boolean) =>
    new Promise<readonly (readonly { readonly name: string }[])[]>((resolve, reject) => {
      const names = queries.map(({ name }) => name).join(" ");
      const end = (fault?: StoreError): void =>
        fault === undefined ? resolve(queries.map(({ name }) => [{ name }])) : reject(fault);
      this.begun.push({ names, isShort, isShared, end });
    });

  get names(): readonly string[] {
    return this.begun.map(({ names }) => names);
  }

  count(count: number): Promise<unknown> {
    return waitFor(
      () => `${count} transactions, after ${this.names.join(", ")}`,
      () => this.begun.length >= count,
    );
  }
}

describe("short operations of PostgreSQL", () => {
  let all: Transactions;
  let operations: ShortOperations;
  beforeEach(() => {
    all = new Transactions();
    operations = new ShortOperations(all.start, 60_000);
  });
  const settled = async (...results: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(results)).map((each) =>
      each.status === "fulfilled" ? each.value : (each.reason as StoreError).uncertain,
    );

  it("share a transaction with those of the same moment, and with those that came during the one before", async () => {
    const first = [operations.run([query("a"), query("b")], "own"), operations.run([query("c")], "own")];
    await all.count(1);
    const next = [operations.run([query("d")], "own"), operations.run([query("e")], "patient")];
    all.begun[0]?.end();
    assert.deepEqual(await settled(...first), [[[{ name: "a" }], [{ name: "b" }]], [[{ name: "c" }]]]);
    await all.count(2);
    all.begun[1]?.end();
    assert.deepEqual(await settled(...next), [[[{ name: "d" }]], [[{ name: "e" }]]]);
    assert.deepEqual(all.names, ["a b c", "d e"]);
    assert.ok(all.begun.every(({ isShort }) => isShort));
  });

  it("come last where others wait for their rows, and one in a transaction", async () => {
    const results = [
      operations.run([query("a")], "contended"),
      operations.run([query("b")], "own"),
      operations.run([query("c")], "contended"),
      operations.run([query("d")], "own"),
    ];
    await all.count(1);
    all.begun[0]?.end();
    await all.count(2);
    all.begun[1]?.end();
    await Promise.all(results);
    assert.deepEqual(all.names, ["b a", "d c"]);
  });

  it("that are patient wait for others, and not for ever", async () => {
    const patient = operations.run([query("a")], "patient");
    await new Promise((resolve) => setTimeout(resolve, 2));
    assert.deepEqual(all.names, []);
    const other = operations.run([query("b")], "own");
    await all.count(1);
    all.begun[0]?.end();
    await Promise.all([patient, other]);
    const alone = operations.run([query("c")], "patient");
    await all.count(2);
    all.begun[1]?.end();
    await alone;
    assert.deepEqual(all.names, ["a b", "c"]);
  });

  it("are run one by one where surely nothing happened, so that one fails alone", async () => {
    const results = [operations.run([query("a")], "own"), operations.run([query("bad")], "own")];
    await all.count(1);
    all.begun[0]?.end(error(false));
    await all.count(3);
    all.begun[1]?.end();
    all.begun[2]?.end(error(false));
    assert.deepEqual(await settled(...results), [[[{ name: "a" }]], false]);
    assert.deepEqual(all.names, ["a bad", "a", "bad"]);
    assert.deepEqual(
      all.begun.map(({ isShared }) => isShared),
      [true, false, false],
    );
  });

  it("are all uncertain where their transaction is, and are not run again", async () => {
    const results = [operations.run([query("a")], "own"), operations.run([query("b")], "own")];
    await all.count(1);
    all.begun[0]?.end(error(true));
    assert.deepEqual(await settled(...results), [true, true]);
    await operations.idle();
    assert.deepEqual(all.names, ["a b"]);
  });

  it("have a second transaction where there are enough of them, and no third", async () => {
    const results = [operations.run([query("a")], "own")];
    await all.count(1);
    results.push(operations.run([query("b", "x".repeat(4_000))], "own"));
    await all.count(2);
    results.push(operations.run([query("c", "x".repeat(4_000))], "own"));
    for (let turn = 0; turn < 10; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(all.names, ["a", "b"]);
    all.begun[1]?.end();
    all.begun[0]?.end();
    await all.count(3);
    all.begun[2]?.end();
    await Promise.all(results);
    assert.deepEqual(all.names, ["a", "b", "c"]);
  });

  it("do not wait for a transaction that takes long", async () => {
    operations = new ShortOperations(all.start, 1);
    const slow = operations.run([query("a")], "own");
    await all.count(1);
    const other = operations.run([query("b")], "own");
    await all.count(2);
    all.begun[1]?.end();
    await other;
    all.begun[0]?.end();
    await slow;
  });

  it("are sent one after the other where they do not fit into a packet", async () => {
    const large = operations.run([query("a", "x".repeat(40_000))], "own");
    await all.count(1);
    assert.equal(all.begun[0]?.isShort, false);
    all.begun[0]?.end();
    await large;
  });

  it("are done when nothing waits any more", async () => {
    await operations.idle();
    let isIdle = false;
    const results = [operations.run([query("a")], "contended"), operations.run([query("b")], "contended")];
    const idle = operations.idle().then(() => {
      isIdle = true;
    });
    await all.count(1);
    all.begun[0]?.end();
    await all.count(2);
    assert.equal(isIdle, false);
    all.begun[1]?.end();
    await Promise.all([...results, idle]);
  });
});
