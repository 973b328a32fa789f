import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import type { NodeAPI } from "node-red";
import { withStore } from "../../../lib/runtime/admin/store-request";
import { Account } from "../../../lib/runtime/account/account";
import { FormerPlaces } from "../../../lib/runtime/store/former-places";
import { Outbox } from "../../../lib/runtime/store/outbox/outbox";
import { Moves } from "../../../lib/store/moves";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import { Store } from "../../../lib/store/store";
import { usePostgresql } from "../../support/store/use-postgresql";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { ACCOUNT, accountAt, type Config, resultOf, SENDER, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { inStore, payloadOf, requestCount, SLOW, startStored, textsAt, TO } from "./stored-flow";

type Parts = { readonly id: string; readonly index: number; readonly count: number };

describe("what waits in the former place of an account", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  afterEach(() => {
    Outbox.of(ACCOUNT).messages.clear();
    // An account remembers its places as long as the process lives.
    rmSync(folder(), { recursive: true });
  });
  const former = (): string => join(folder(), "former");
  const present = (): string => join(folder(), "present");
  const sentTexts = (): string[] => textsAt(simulator);
  const startIn = (place: string, account: Config = {}) => startStored(simulator, place, { account });
  const leftBehind = (flow: TestFlow) => Account.of(flow.account).leftBehind.look();
  /** Moves whatever waits, while the process ends at a step. */
  async function moveFails(
    flow: TestFlow,
    step: "read" | "arrive" | "remove",
    first: boolean,
  ): Promise<void> {
    const real = Moves.prototype[step] as (...given: unknown[]) => Promise<unknown>;
    const killing = mock.method(Moves.prototype, step, async function (this: Moves, ...given: unknown[]) {
      if (!first) await real.apply(this, given);
      throw new Error("killed");
    });
    await assert.rejects(Account.of(flow.account).moveHere(), /killed/);
    killing.mock.restore();
  }

  /** Messages in the former place, one of which is sent, and whose account keeps messages in another one now. */
  async function change(account: Config = {}, { restart = false, hidden = false } = {}): Promise<TestFlow> {
    const before = await startIn(former(), SLOW);
    for (const payload of ["x0", "x1", "x2"]) {
      before.send({ to: TO, payload, sensitive: hidden });
    }
    await before.ports[0]!.until(1);
    await waitFor("the others to wait", async () => (await requestCount(former(), "queued")) === 2);
    await before.stop();
    if (restart) {
      Outbox.of(ACCOUNT).messages.clear();
    }
    return startIn(present(), account);
  }

  it("is said in the log and in the sidebar, with its number and place", async () => {
    const flow = await change();
    const { places, toMemory, interrupted } = await leftBehind(flow);
    assert.deepEqual(places, [
      { place: join(former(), "messages.db"), waiting: 2, gathered: 0, usedElsewhere: false, problem: null },
    ]);
    assert.deepEqual([toMemory, interrupted], [false, 0]);
    await waitFor("the warning", () =>
      flow.log("warn").some((line) => line.includes("2 messages still wait")),
    );
  });

  for (const restart of [false, true]) {
    for (const hidden of [false, true]) {
      it(`leaves ${hidden ? "sensitive " : ""}from the present one after a move${restart ? ", restored" : ""}, each once`, async () => {
        const flow = await change({}, { restart, hidden });
        assert.equal(await Account.of(flow.account).moveHere(), 2);
        const messages = await flow.ports[0]!.until(2);
        assert.deepEqual(messages.map(payloadOf), ["x1", "x2"]);
        assert.deepEqual(
          messages.map((msg) => resultOf(msg).restored),
          restart ? [true, true] : [undefined, undefined],
        );
        assert.deepEqual(sentTexts(), ["x0", "x1", "x2"]);
        assert.deepEqual((await leftBehind(flow)).places, []);
        assert.equal(await requestCount(former(), "queued"), 0);
        assert.equal(await Account.of(flow.account).moveHere(), 0);
      });
    }
  }

  it("of a list of which some were sent is a group of its own for Join, and nothing of the others", async () => {
    const before = await startIn(former(), SLOW);
    const to = Array.from({ length: 4_500 }, (_, n) => String(41790000000 + n));
    before.send({ to, payload: "list" });
    const [first] = await before.ports[0]!.until(1);
    await before.stop();
    Outbox.of(ACCOUNT).messages.clear();
    const flow = await startIn(present());
    const moved = await Account.of(flow.account).moveHere();
    const messages = await flow.ports[0]!.until(moved);
    const parts = messages.map((msg) => (msg as { parts: Parts }).parts);
    const all = (first as { parts: Parts }).parts;
    assert.ok(moved > 1 && moved < all.count, `${moved} of ${all.count}`);
    assert.deepEqual(
      parts.map(({ index, count: of }) => [index, of]),
      parts.map((_, n) => [n, moved]),
    );
    assert.notEqual(parts[0]?.id, all.id);
    const sent = simulator.main.messages.flatMap(({ recipients }) => recipients);
    assert.equal(new Set(sent).size, sent.length);
    assert.equal(sent.length, to.length);
  });

  for (const [title, fail] of [
    ["after what was marked", { name: "read", first: false }],
    ["before what was marked arrives", { name: "arrive", first: true }],
    ["after it has arrived", { name: "arrive", first: false }],
    ["before it is removed", { name: "remove", first: true }],
    ["after it was removed", { name: "remove", first: false }],
  ] as const) {
    it(`leaves each once where the process ends ${title}, and the next start finishes it`, async () => {
      const stopped = { stopSending: true };
      const flow = await change(stopped, { restart: true });
      await moveFails(flow, fail.name, fail.first);
      assert.equal(await requestCount(former(), "queued"), 0);
      await flow.stop();
      const next = await startIn(present());
      await next.ports[0]!.until(2);
      await waitFor("nothing to be under way", async () => (await requestCount(former(), "moving")) === 0);
      await waitFor("each to be sent", () => sentTexts().length === 3);
      assert.deepEqual(sentTexts(), ["x0", "x1", "x2"]);
      await waitFor("both results to be noted", async () => (await requestCount(present(), "emitted")) === 2);
      assert.equal(await Account.of(next.account).moveHere(), 0);
    });
  }

  for (const step of ["arrive", "remove"] as const) {
    it(`leaves from the former one where the account keeps messages there again, after a move that ended before ${step}`, async () => {
      const flow = await change({ stopSending: true });
      await moveFails(flow, step, true);
      await flow.stop();
      const back = await startIn(former());
      assert.equal((await leftBehind(back)).places[0]?.place, join(present(), "messages.db"));
      await Account.of(back.account).moveHere();
      await waitFor("each to be sent", () => sentTexts().length === 3);
      assert.deepEqual(sentTexts(), ["x0", "x1", "x2"]);
      assert.deepEqual((await leftBehind(back)).places, []);
    });
  }

  it("is encrypted anew where each place has a key of its own", async () => {
    const simulated = { service: "simulator", ...SLOW };
    const start = (place: string, account: Config) =>
      startStored(simulator, place, { account, credentials: {} });
    const before = await start(former(), { ...simulated, stopSending: true });
    before.send({ to: TO, payload: "secret", sensitive: true });
    await waitFor("it to wait", async () => (await requestCount(former(), "queued")) === 1);
    await before.stop();
    Outbox.of(ACCOUNT).messages.clear();
    const flow = await start(present(), simulated);
    assert.equal(await Account.of(flow.account).moveHere(), 1);
    const [message] = await flow.all.until(1);
    assert.deepEqual([resultOf(message).outcome, payloadOf(message)], ["sent", "secret"]);
    const [key, other] = [former(), present()].map((place) => readFileSync(join(place, "key"), "hex"));
    assert.notEqual(key, other);
  });

  it("stays there where the account keeps messages in memory now, and that is said", async () => {
    const flow = await change({ keepMessages: "memory" });
    const { places, toMemory } = await leftBehind(flow);
    assert.deepEqual([places.map(({ waiting }) => waiting), toMemory], [[2], true]);
    assert.equal(await requestCount(former(), "queued"), 2);
    const RED = { nodes: { getNode: flow.node } } as unknown as NodeAPI;
    assert.deepEqual(await withStore(RED, ACCOUNT, () => assert.fail("there is no store")), {
      error: "memory",
    });
  });
});

describe("what waits in a former place in PostgreSQL", () => {
  const simulator = useSimulator();
  const server = usePostgresql();
  const folder = useFolder();
  afterEach(() => Outbox.of(ACCOUNT).messages.clear());
  let schema = "";
  let schemas = 0;
  beforeEach(() => {
    schema = `former_${++schemas}`;
  });

  /** Two messages wait in PostgreSQL, and the account keeps them in a folder now. */
  async function change(): Promise<TestFlow> {
    const { credentials } = accountAt(simulator);
    const before = await startStored(simulator, "", {
      account: { ...SLOW, keepMessages: "postgresql", storeSchema: schema },
      credentials: { ...credentials, storeUrl: server().url },
    });
    for (const payload of ["x0", "x1", "x2"]) {
      before.send({ to: TO, payload });
    }
    await before.ports[0]!.until(1);
    await waitFor("the others to wait", async () => {
      const opened = await Account.of(before.account).store();
      const counts = await opened?.store.backlog.counts(ACCOUNT);
      return (counts?.ready ?? 0) + (counts?.waiting ?? 0) === 2;
    });
    await before.stop();
    return startStored(simulator, folder());
  }
  const sentTexts = (): string[] => textsAt(simulator);

  it("leaves from the present one after a move, each once", async () => {
    const flow = await change();
    assert.equal((await Account.of(flow.account).leftBehind.look()).places.at(-1)?.waiting, 2);
    assert.equal(await Account.of(flow.account).moveHere(), 2);
    await flow.ports[0]!.until(2);
    assert.deepEqual(sentTexts(), ["x0", "x1", "x2"]);
  });

  it("stays for other Node-REDs that are alive and have the account there, and that is said", async () => {
    const flow = await change();
    const { engine, release } = await sharePostgresql({ url: server().url, schema, tls: null });
    try {
      const other = new Store(engine, { keepTexts: false }).instances("other");
      await other.start();
      await other.runs(ACCOUNT, [SENDER]);
      const account = Account.of(flow.account);
      assert.equal(await account.moveHere(), 0);
      const found = (await account.leftBehind.look()).places.at(-1);
      assert.deepEqual([found?.waiting, found?.usedElsewhere], [2, true]);
      await other.leave();
      assert.equal(await account.moveHere(), 2);
      await flow.ports[0]!.until(2);
      assert.deepEqual(sentTexts(), ["x0", "x1", "x2"]);
    } finally {
      await release();
    }
  });
});

describe("the places in which an account has kept messages", () => {
  let userDir: string;
  beforeEach(() => {
    userDir = mkdtempSync(join(tmpdir(), "former-places-"));
  });
  afterEach(() => rmSync(userDir, { recursive: true }));
  const keeping = { keepFor: 1_000, keepTexts: false, snapshotLimit: 1 };
  const at = async (name: string) => {
    const folder = join(userDir, name);
    await inStore(folder, "SELECT 1");
    return { folder, ...keeping };
  };

  it("are known after a restart, but for databases, whose URL is a secret", async () => {
    const [one, two] = [await at("one"), await at("two")];
    const url = "postgresql://user:s3cret@localhost:1/database";
    const database = { database: { url, schema: "messaging", tls: null }, ...keeping };
    const before = FormerPlaces.of("a", userDir);
    assert.deepEqual(await before.since(one), []);
    assert.deepEqual(await before.since(database), [one]);
    assert.deepEqual(await before.since(two), [one, database]);
    const again = { ...database, database: { ...database.database, url: url.replace("s3cret", "other") } };
    assert.deepEqual(await before.since(again), [one, two], "the same database with another password");
    const text = readFileSync(join(userDir, "messaging", "places.json"), "utf8");
    assert.doesNotMatch(text, /s3cret|postgresql/);
    // As another process: what this one knows is by the spelling of the folder.
    const after = FormerPlaces.of("a", join(userDir, "messaging", "..", ".").concat("/"));
    assert.deepEqual(await after.since(null), [one, two]);
    await after.forget(one);
    assert.deepEqual(await after.since(two), []);
  });

  it("are left out where their file is gone", async () => {
    const one = await at("one");
    const places = FormerPlaces.of("a", userDir);
    await places.since(one);
    rmSync(one.folder, { recursive: true });
    assert.deepEqual(await places.since(null), []);
  });
});
