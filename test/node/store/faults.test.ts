// Slow: the store opens again after real pauses.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { mock } from "node:test";
import { type SqliteOptions, shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { loadSqlite } from "../../../lib/store/engine/sqlite/sqlite-driver";
import { waitFor } from "../../support/wait-for";
import { failingDriver } from "../../unit/store/failing-driver";
import { useFolder } from "../../unit/store/use-folder";
import { badgeText, resultOf, type TestFlow, untilBadge } from "../flow";
import { useSimulator } from "../use-simulator";
import { inStore, payloadOf, requestCount, startStored, textsAt, TO } from "./stored-flow";

const WRITING_PROCESS = join(__dirname, "../../unit/store/writing-process.ts");
const HOUR = 60 * 60 * 1000;
const ONE = { connections: 1 };
/** How long the simulator would wait with an answer that a test holds back. */
const HELD_MS = 3_600_000;

/** While there is a file `fail`, whose text is a code of SQLite, every transaction fails with it. */
const FAILING = `
  if (noted("fail") && (sql === "BEGIN IMMEDIATE" || sql === "COMMIT")) {
    const [code, when] = fs.readFileSync(folder + "/fail", "utf8").split(" ");
    note("failed");
    if (when === "after" && sql === "COMMIT") { next(); throw failure(Number(code), "test"); }
    if (when !== "after") throw failure(Number(code), "test");
  }`;

const KILLED = 'if (noted("fail") && sql === "COMMIT") { note("failed"); process.exit(1); }';

const OUTCOMES =
  "SELECT coalesce(o.state, 'emitted') AS state, m.outcome FROM messages m LEFT JOIN outbox o ON o.id = m.id";

describe("a store that fails", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) {
      await end();
    }
  });
  const sentTexts = (): string[] => textsAt(simulator);
  const note = (name: string): string => join(folder(), name);

  /** Holds back the answers of the simulator. @returns lets them go */
  function holdAnswers(): () => void {
    const held: (() => void)[] = [];
    const { setTimeout } = globalThis;
    const hold = (action: () => void, ms?: number): NodeJS.Timeout => {
      if (ms !== HELD_MS) return setTimeout(action, ms);
      held.push(action);
      return setTimeout(() => {}, 0);
    };
    const { mock: mocked } = mock.method(globalThis, "setTimeout", hold as typeof setTimeout);
    ends.push(() => mocked.restore());
    return () => {
      for (const action of held.splice(0)) action();
    };
  }

  /** Opens the store with a driver of the test, before the account does. */
  async function useDriver(body: string, options: SqliteOptions = {}): Promise<void> {
    const thread = failingDriver(folder(), body);
    const { release } = await shareSqlite(folder(), { reopenPause: 50, thread, ...options });
    ends.push(release);
  }

  const recovers = (flow: TestFlow, text: RegExp): Promise<unknown> =>
    waitFor(
      () => `a badge without ${text}`,
      () => !text.test(badgeText(flow)),
    );

  /** Sends a message that the store does not take. @returns the text of its result */
  async function isRefused(flow: TestFlow, payload = "refused", more: object = {}): Promise<string> {
    const before = flow.ports[2]!.messages.length;
    flow.send({ to: TO, payload, ...more });
    const messages = await flow.ports[2]!.until(before + 1);
    const { outcome, statusName, statusMessage, source } = resultOf(messages.at(-1));
    assert.deepEqual([outcome, statusName, source], ["retry-later", "STORE_UNAVAILABLE", "local"]);
    return statusMessage;
  }

  /** All that was taken is sent once, has left once, and stands in the ledger. */
  async function isComplete(flow: TestFlow, ...texts: readonly string[]): Promise<void> {
    await flow.ports[0]!.until(texts.length);
    await waitFor("the marks", async () => {
      const rows = await inStore(folder(), OUTCOMES);
      return (
        rows.length === texts.length && rows.every((row) => row.state === "emitted" && row.outcome === "sent")
      );
    });
    assert.deepEqual(sentTexts(), [...texts].sort());
    assert.deepEqual(flow.ports[0]!.messages.map(payloadOf).sort(), [...texts].sort());
    assert.ok(flow.ports[0]!.messages.every((msg) => resultOf(msg).restored === undefined));
  }

  for (const [name, fail, text, shown, driver = FAILING] of [
    ["whose disk is full", "13", /disk of the message store is full/, /disk of the store is full/],
    ["that fails after it has written", "1034 after", null, /disk of the store fails/],
    ["whose thread is killed", "x", null, /store is restarting/, KILLED],
  ] as const) {
    it(`sends nothing of an account ${name}, lets answers out, and goes on by itself`, async () => {
      await useDriver(driver);
      const flow = await startStored(simulator, folder(), { account: ONE });
      const letAnswersGo = holdAnswers();
      simulator.main.addFault({ times: 1, answer: { statusCode: 2000, delayMs: HELD_MS } });
      for (const payload of ["under way", "waits", "waits too"]) {
        flow.send({ to: TO, payload });
      }
      await waitFor("the first at the service", () => simulator.main.requests.length === 1);
      await waitFor("all in the store", async () => (await requestCount(folder())) === 3);
      writeFileSync(note("fail"), fail);
      letAnswersGo();
      const [first] = await flow.ports[0]!.until(1);
      assert.equal(payloadOf(first), "under way");
      await untilBadge(flow, shown);
      if (text !== null) {
        assert.match(await isRefused(flow), text);
        await untilBadge(flow, shown);
      }
      await waitFor("several tries", () => readFileSync(note("failed")).length > 3);
      assert.equal(simulator.main.requestCount, 1, "something was sent without the store");
      assert.ok(
        flow.log("warn").some((line) => line.includes(folder())),
        flow.log("warn").join(),
      );
      rmSync(note("fail"));
      await isComplete(flow, "under way", "waits", "waits too");
      await recovers(flow, shown);
      flow.send({ to: TO, payload: "after" });
      await isComplete(flow, "under way", "waits", "waits too", "after");
      assert.equal(flow.caught.messages.length, 0);
    });
  }

  it("sends what it could not take later where the store had taken it in spite of its error", async () => {
    await useDriver(FAILING);
    const flow = await startStored(simulator, folder());
    flow.send({ to: TO, payload: "a" });
    // Its mark too: a mark that fails first would have the second message refused before the store is asked to take it.
    await isComplete(flow, "a");
    writeFileSync(note("fail"), "1034 after");
    flow.send({ to: TO, payload: "b" });
    await untilBadge(flow, /disk of the store fails/);
    rmSync(note("fail"));
    await isComplete(flow, "a", "b");
  });

  it("remembers over a deploy what it could not write: an answer, and that something has not left", async () => {
    await useDriver(FAILING);
    const flow = await startStored(simulator, folder(), { account: { connections: 2 } });
    const letAnswersGo = holdAnswers();
    simulator.main.addFault({ times: 1, answer: { statusCode: 2000, delayMs: HELD_MS } });
    simulator.main.addFault({ times: 1, answer: { statusCode: 5003, delayMs: HELD_MS } });
    for (const payload of ["a", "b", "c"]) {
      flow.send({ to: TO, payload });
    }
    await waitFor("two at the service", () => simulator.main.requests.length === 2);
    await waitFor("all in the store", async () => (await requestCount(folder())) === 3);
    writeFileSync(note("fail"), "13");
    letAnswersGo();
    const [first] = await flow.ports[0]!.until(1);
    await flow.stop();
    rmSync(note("fail"));
    const again = await startStored(simulator, folder());
    await again.all.until(2);
    await waitFor("the marks", async () => {
      const rows = await inStore(folder(), OUTCOMES);
      return rows.every((row) => row.state === "emitted" && row.outcome === "sent");
    });
    const left = [first!, ...again.all.messages];
    assert.deepEqual(left.map(payloadOf).sort(), ["a", "b", "c"]);
    assert.ok(left.every((msg) => resultOf(msg).outcome === "sent"));
    assert.equal(simulator.main.requestCount, 4, "one refused, three accepted");
  });

  it("gives up messages of a damaged file that was moved away, and sends from the new one", async () => {
    await useDriver(FAILING);
    const flow = await startStored(simulator, folder(), { account: ONE });
    const letAnswersGo = holdAnswers();
    simulator.main.addFault({ times: 1, answer: { statusCode: 2000, delayMs: HELD_MS } });
    for (const payload of ["under way", "waits"]) {
      flow.send({ to: TO, payload });
    }
    await waitFor("the first at the service", () => simulator.main.requests.length === 1);
    writeFileSync(note("fail"), "11");
    letAnswersGo();
    await flow.ports[0]!.until(1);
    await untilBadge(flow, /store is damaged/);
    mkdirSync(note("before"));
    for (const file of ["messages.db", "messages.db-wal"]) {
      if (existsSync(note(file))) {
        renameSync(note(file), join(note("before"), file));
      }
    }
    rmSync(note("fail"));
    await waitFor("the warning about the one that waited", () =>
      flow.log("warn").some((line) => line.includes("the store was replaced")),
    );
    flow.send({ to: TO, payload: "after" });
    await flow.ports[0]!.until(2);
    assert.deepEqual(sentTexts(), ["after", "under way"]);
    await recovers(flow, /store/);
  });

  it("goes on when the file of a newer version is taken back", async () => {
    await (await startStored(simulator, folder())).stop();
    await inStore(folder(), "SELECT 1 AS one");
    const { DatabaseSync } = await loadSqlite();
    const change = (sql: string): void => {
      const database = new DatabaseSync(note("messages.db"));
      database.exec(sql);
      database.close();
    };
    change("INSERT INTO schema_migrations (version, hash, applied_at) VALUES (999, '', 1)");
    const flow = await startStored(simulator, folder());
    assert.match(await isRefused(flow), /newer version.*Install that version again/);
    await untilBadge(flow, /store has a newer version/);
    change("DELETE FROM schema_migrations WHERE version = 999");
    await recovers(flow, /newer/);
    flow.send({ to: TO, payload: "after" });
    await isComplete(flow, "after");
  });

  it("goes on when another process lets the file go", async () => {
    const other: ChildProcess = spawn(
      process.execPath,
      [...process.execArgv, WRITING_PROCESS, folder(), "other", "once"],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    ends.push(() => other.kill("SIGKILL"));
    const [line] = (await once(other.stdout!, "data")) as [Buffer];
    assert.equal(line.toString().trim(), "open");
    const { release } = await shareSqlite(folder(), { reopenPause: 50, lockTimeout: 50 });
    ends.push(release);
    const flow = await startStored(simulator, folder());
    assert.match(await isRefused(flow), /Another process uses the message store.*Stop the other Node-RED/);
    await untilBadge(flow, /store in use elsewhere/);
    other.kill("SIGKILL");
    await recovers(flow, /elsewhere/);
    flow.send({ to: TO, payload: "after" });
    await isComplete(flow, "after");
  });

  it("tries again in time what waits for its next try when the clock is set back by an hour", async () => {
    const flow = await startStored(simulator, folder());
    simulator.main.addFault({ times: 1, answer: { statusCode: 5003, retryAfter: 2 } });
    const now = Date.now.bind(Date);
    ends.push(() => {
      Date.now = now;
    });
    flow.send({ to: TO, payload: "a" });
    await waitFor("the pause", async () => {
      const [row] = await inStore(folder(), "SELECT count(*) AS n FROM outbox WHERE due IS NOT NULL");
      return row?.n === 1;
    });
    Date.now = () => now() - HOUR;
    await isComplete(flow, "a");
    flow.send({ to: TO, payload: "b" });
    await isComplete(flow, "a", "b");
  });
});
