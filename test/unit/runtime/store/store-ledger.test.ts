import assert from "node:assert/strict";
import { type AccountStore, openStore } from "../../../../lib/runtime/store/open-store";
import { StoreLedger, type UnwrittenKeys } from "../../../../lib/runtime/store/store-ledger";
import type { Engine } from "../../../../lib/store/engine/engine";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { StoreError } from "../../../../lib/store/engine/store-error";
import { Store } from "../../../../lib/store/store";
import type { LedgerEntry } from "../../../../lib/webhook/event-ledger";
import { statusMessage } from "../../../support/http/webhook-events";
import { waitFor } from "../../../support/wait-for";
import { useFolder } from "../../store/use-folder";

const LIMITS = { age: 60_000, most: 1000 };
const FULL = new StoreError("STORE_FULL", "/disk", "", false);

const entry = (key: string, unique = true): LedgerEntry => ({
  kind: unique ? "status" : "inbound",
  key,
  unique,
  sender: "+41790000001",
  payload: unique ? statusMessage({ clientMessageId: key }) : { content: "yes" },
  simulated: false,
  bytes: 100,
  optOut: null,
});

describe("StoreLedger", () => {
  const folder = useFolder();
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const openAccount = (): Promise<AccountStore> =>
    openStore("a1", { folder: folder(), keepFor: 86_400_000, keepTexts: false, snapshotLimit: 1024 });

  /** Ledgers of one webhook in the store of a folder, with a disk that may be full. */
  async function setUp(unwritten: UnwrittenKeys = { done: new Set(), cut: new Map() }) {
    const failures: (string | null)[] = [];
    const disk = { full: false as boolean | RegExp, operations: 0, opened: 0 };
    let real: AccountStore | null = null;
    const open = async (): Promise<AccountStore> => {
      disk.opened++;
      if (disk.full === true) {
        throw FULL;
      }
      const opened = await openAccount();
      real = opened;
      const engine: Engine = {
        ...opened.store.engine,
        run: (calls, wake) => {
          const blocked =
            disk.full instanceof RegExp &&
            calls.some(({ values }) => values.some((each) => (disk.full as RegExp).test(String(each))));
          if (disk.full === true || blocked) {
            return Promise.reject(FULL);
          }
          disk.operations++;
          return opened.store.engine.run(calls, wake);
        },
      };
      return { ...opened, store: new Store(engine, { keepTexts: false }) };
    };
    const ledger = new StoreLedger({
      receiver: "w1",
      limits: LIMITS,
      unwritten,
      open,
      failed: (error) => {
        const text = error === null ? null : (error as StoreError).code;
        if (failures.at(-1) !== text) failures.push(text);
      },
    });
    ends.push(
      () => ledger.close(),
      async () => real?.release(),
    );
    return { ledger, unwritten, disk, failures };
  }

  /** Asks the store directly. */
  async function ask<Answer>(question: (store: Store) => Promise<Answer>): Promise<Answer> {
    const { engine, release } = await shareSqlite(folder());
    const answer = await question(new Store(engine, { keepTexts: false }));
    await release();
    return answer;
  }
  const keysOf = (store: Store, limits = LIMITS) =>
    store.duplicates("w1", { done: limits, cut: limits, seen: limits, claimed: limits });
  const inStore = async (key: string): Promise<boolean | undefined> =>
    (await ask((store) => keysOf(store).meet([key])))[0]?.done;

  it("takes no more than a bounded size of events at once", async () => {
    const { ledger } = await setUp();
    const large = Array.from({ length: 64 }, (_unused, at) => ({ ...entry(`k${at}`), bytes: 2 ** 20 }));
    const entering = large.map((each) => {
      assert.equal(ledger.hasRoom, true);
      return ledger.enter(each);
    });
    assert.equal(ledger.hasRoom, false);
    await Promise.all(entering);
    assert.equal(ledger.hasRoom, true);
  });

  it("knows what the flow has taken while the disk was full, and writes it when it is not", async () => {
    const { ledger, disk, failures } = await setUp();
    await ledger.enter(entry("a"));
    disk.full = true;
    ledger.done("a");
    await waitFor("the failure", () => failures.at(-1));
    assert.deepEqual([ledger.isCopy("a", true), await inStore("a")], [true, false]);
    disk.full = false;
    await ledger.enter(entry("b"));
    // Sooner than the next attempt by the clock.
    await waitFor("the key in the store", () => inStore("a"));
    await waitFor("the end of its place in memory", () => !ledger.isCopy("a", true));
    assert.deepEqual(failures, [null, "STORE_FULL", null]);
  });

  it("writes at its end what it could not write before", async () => {
    const { ledger, disk, failures } = await setUp();
    await ledger.enter(entry("a"));
    disk.full = true;
    ledger.done("a");
    await waitFor("the failure", () => failures.at(-1));
    disk.full = false;
    await ledger.close();
    assert.equal(await inStore("a"), true);
  });

  it("knows keys that its predecessor could not write, and writes them", async () => {
    const before = await setUp();
    before.disk.full = true;
    before.ledger.done("a");
    before.ledger.cut("b");
    await before.ledger.close();
    const { ledger } = await setUp(before.unwritten);
    assert.equal(ledger.isCopy("a", true), true);
    assert.deepEqual([ledger.isCopy("b", false), ledger.isCopy("b", false)], [true, false]);
    await ledger.open();
    assert.equal(await inStore("a"), true);
  });

  it("gives equal events without an id a row each, and the redelivery of one that was sent back none", async () => {
    const { ledger, disk } = await setUp();
    const count = async (): Promise<number> =>
      (await ask((store) => store.history.replies("a1", "41790000001", 0, 100))).length;
    const both = await Promise.all([ledger.enter(entry("a", false)), ledger.enter(entry("a", false))]);
    assert.deepEqual(
      both.map(({ duplicate, seen }) => ({ duplicate, seen })),
      [
        { duplicate: false, seen: false },
        { duplicate: false, seen: true },
      ],
    );
    assert.equal(await count(), 2);
    both[0].sentBack();
    await ledger.enter(entry("a", false));
    assert.equal(await count(), 2);
    // The duplicates are written, the event is not.
    disk.full = /"inbound"/;
    await assert.rejects(ledger.enter(entry("a", false)), { code: "STORE_FULL" });
    disk.full = false;
    await ledger.enter(entry("a", false));
    assert.equal(await count(), 3);
  });

  it("lets go of the store at its end, after what is under way, and takes nothing more", async () => {
    const { ledger, disk } = await setUp();
    const under = ledger.enter(entry("a"));
    await ledger.close();
    assert.equal((await under).duplicate, false);
    disk.operations = 0;
    await assert.rejects(ledger.enter(entry("b")), { code: "STORE_CLOSED" });
    ledger.done("b");
    assert.equal(disk.operations, 0);
  });
});
