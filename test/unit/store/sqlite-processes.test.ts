// Slow: it starts processes that write, and kills them.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { StoreError } from "../../../lib/store/engine/store-error";
import { rowsOf } from "../../../lib/store/engine/query";
import { statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "./use-folder";

const KILLS = 4;

const JOBS = statement("test_jobs")`
    SELECT m.client_id AS job_key, count(DISTINCT m.id) AS requests, count(*) AS recipients,
    sum(CASE WHEN o.state = 'queued' THEN 1 ELSE 0 END) / 2 AS queued, sum(CASE WHEN m.outcome = 'sent' THEN 1 ELSE 0 END) / 2 AS sent
    FROM messages m JOIN recipients c ON c.request = m.id LEFT JOIN outbox o ON o.id = m.id GROUP BY m.client_id`;

describe("a store and other processes", () => {
  const folder = useFolder();
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  function start(parameters: readonly string[]) {
    const script = join(__dirname, "writing-process.ts");
    const child = spawn(process.execPath, [...process.execArgv, script, ...parameters], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
    const ended = new Promise<void>((resolve) => child.stdout.once("close", resolve));
    return { child, lines, ended };
  }

  it("loses nothing that was committed and keeps nothing half when a process is killed while it writes", async () => {
    const said: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, lines, ended } = start([folder(), `p${kill}`]);
      const most = 40 + 67 * kill;
      await waitFor("the process to write", () => lines.length > most);
      child.kill("SIGKILL");
      await ended;
      said.push(...lines);
      const { engine, release } = await shareSqlite(folder());
      const store = new Store(engine, { keepTexts: true });
      const rows = await rowsOf(engine, JOBS);
      const found = new Map(rows.map((row) => [row.job_key, row]));
      for (const row of rows) {
        assert.deepEqual([row.requests, row.recipients], [3, 6], `${row.job_key} is half there`);
      }
      const keys = (word: string) =>
        said.filter((line) => line.startsWith(word)).map((line) => line.split(" ")[1]);
      for (const key of keys("taken")) assert.ok(found.has(key!), `${key} is lost`);
      for (const key of keys("sending"))
        assert.ok(Number(found.get(key!)?.queued) < 3, `${key} is queued again`);
      for (const key of keys("settled"))
        assert.ok(Number(found.get(key!)?.sent) > 0, `the outcome of ${key} is lost`);
      // What was sending is settled as unknown, and never given out again.
      await store.instances(`after-${kill}`).start();
      await store.recovery.settleOrphans();
      assert.equal((await store.backlog.counts("a1")).sending, 0);
      await release();
    }
    assert.ok(said.length > 500);
  });

  it("has one process at a time, and says so to the other", async () => {
    const first = start([folder(), "p", "once"]);
    await waitFor("the first process", () => first.lines.includes("open"));
    const { engine, release } = await shareSqlite(folder(), { lockTimeout: 50, reopenPause: 0 });
    const store = new Store(engine, { keepTexts: true });
    await assert.rejects(store.backlog.counts("a1"), { code: "STORE_LOCKED" });
    first.child.kill("SIGKILL");
    await first.ended;
    const counts = await waitFor("the lock", () =>
      store.backlog.counts("a1").catch((error: StoreError) => {
        assert.equal(error.code, "STORE_LOCKED");
        return null;
      }),
    );
    assert.equal(counts.ready, 0);
    await release();
  });
});
