import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PostgresqlEngine } from "../../../lib/store/engine/postgresql/postgresql-engine";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { loadSqlite } from "../../../lib/store/engine/sqlite/sqlite-driver";
import type { StoreError } from "../../../lib/store/engine/store-error";
import { Store } from "../../../lib/store/store";
import { usePostgresql } from "../../support/store/use-postgresql";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "./use-folder";

/** What the states before version 1 have made, as far as it matters. */
const FORMER = [
  "CREATE TABLE schema_versions (version integer PRIMARY KEY, applied_at bigint NOT NULL)",
  "INSERT INTO schema_versions VALUES (1, 1), (7, 1)",
  "CREATE TABLE jobs (id integer PRIMARY KEY, job_key text NOT NULL)",
  "INSERT INTO jobs VALUES (1, 'waits')",
];

const isRefused = (promise: Promise<unknown>): Promise<void> =>
  assert.rejects(promise, (error: StoreError) => {
    assert.equal(error.code, "STORE_EARLIER", error.message);
    assert.match(error.message, /preliminary version.*move the file away, or rename the schema/is);
    assert.ok(error.message.includes(error.place));
    return true;
  });

describe("a store of before version 1", () => {
  const folder = useFolder();
  const server = usePostgresql();

  /** Everything in the folder, byte by byte. */
  const files = (where: string): readonly (readonly [string, string, number])[] =>
    readdirSync(where).map((name) => [
      name,
      readFileSync(join(where, name), "base64"),
      statSync(join(where, name)).mtimeMs,
    ]);

  const open = async (where: string): Promise<void> => {
    const { engine, release } = await shareSqlite(where, { reopenPause: 0 });
    try {
      await new Store(engine, { keepTexts: false }).probe();
    } finally {
      await release();
    }
  };

  for (const [what, statements] of [
    ["with its versions", FORMER],
    ["without them", FORMER.slice(2)],
  ] as const) {
    it(`is refused as a file, ${what}, and stays as it is`, async () => {
      const { DatabaseSync } = await loadSqlite();
      // One that was closed in order, and one whose process was killed, with its log.
      const [closed, killed] = ["closed", "killed"].map((name) => join(folder(), name)) as [string, string];
      mkdirSync(closed);
      mkdirSync(killed);
      const before = new DatabaseSync(join(closed, "messages.db"));
      before.exec("PRAGMA journal_mode = WAL");
      for (const sql of statements) before.exec(sql);
      for (const name of ["messages.db", "messages.db-wal"]) {
        copyFileSync(join(closed, name), join(killed, name));
      }
      before.close();
      assert.ok(statSync(join(killed, "messages.db-wal")).size > 0);
      for (const where of [closed, killed]) {
        const found = files(where);
        await isRefused(open(where));
        await isRefused(open(where));
        assert.deepEqual(files(where), found);
        renameSync(join(where, "messages.db"), join(where, "moved.db"));
        await open(where);
        assert.deepEqual(readFileSync(join(where, "moved.db"), "base64"), found[0]?.[1]);
      }
    });

    it(`is refused as a schema, ${what}, and stays as it is`, async () => {
      const url = await server().newDatabase();
      await server().query("CREATE SCHEMA messaging", url);
      for (const sql of statements) {
        await server().query(sql.replace(/(TABLE|INTO) /, "$1 messaging."), url);
      }
      const all = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'messaging' ORDER BY 1`;
      const tables = await server().query(all, url);
      const engine = new PostgresqlEngine({ url, schema: "messaging", tls: null, reopenPause: 0 });
      const probe = () => new Store(engine, { keepTexts: false }).probe();
      await isRefused(probe());
      assert.deepEqual(await server().query(all, url), tables);
      const jobs = await server().query("SELECT id, job_key FROM messaging.jobs", url);
      assert.deepEqual(
        jobs.map(({ id, job_key: key }) => [Number(id), key]),
        [[1, "waits"]],
      );
      await server().query("ALTER SCHEMA messaging RENAME TO former", url);
      await probe();
      await engine.close();
    });
  }

  it("is not taken for one where a process was killed as it began to make it", async () => {
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(join(folder(), "messages.db"));
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    database.close();
    assert.ok(statSync(join(folder(), "messages.db")).size > 0);
    await open(folder());
    await open(folder());
  });

  it("is known by its tables where its head says something else", async () => {
    const { DatabaseSync } = await loadSqlite();
    await open(folder());
    const database = new DatabaseSync(join(folder(), "messages.db"));
    database.exec("DROP TABLE schema_steps");
    database.close();
    await isRefused(open(folder()));
  });
});

/** Where nothing else runs, a million rows take less than a minute. */
const ROWS = process.env.TEST_FULL === "1" ? 1_000_000 : 30_000;

interface Copying {
  readonly child: ChildProcess;
  /** Keys of messages that it said it has taken. */
  readonly taken: string[];
  /** Rows that it found copied, in order. */
  readonly copied: number[];
  readonly workers: Set<string>;
  done: boolean;
  /** Messages that it took while rows were being copied. */
  meanwhile: number;
}

describe("a step that brings rows into another form", () => {
  const folder = useFolder();
  const server = usePostgresql();
  const children: ChildProcess[] = [];

  const end = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
  };
  afterEach(() => Promise.all(children.splice(0).map(end)));

  function start(place: string, name: string, steps: number, slices: "all" | "once" = "all"): Copying {
    const script = join(__dirname, "copying-process.ts");
    const child = spawn(process.execPath, [...process.execArgv, script, place, name, slices], {
      env: { ...process.env, TEST_STEPS: `${steps}`, TEST_ROWS: `${ROWS}` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const copying: Copying = {
      child,
      taken: [],
      copied: [],
      workers: new Set(),
      done: false,
      meanwhile: 0,
    };
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const [word, what = "", worker = ""] = line.split(" ");
      if (word === "taken") {
        copying.taken.push(what);
      } else if (word === "copied" && worker !== "null") {
        copying.copied.push(Number(what));
        copying.workers.add(worker);
        copying.meanwhile++;
      } else if (word === "done") {
        copying.done = true;
        copying.workers.add(worker);
      }
    });
    return copying;
  }

  /** @param query reads from the database beside the package */
  async function proves(
    place: string,
    query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>,
    processes: number,
  ): Promise<void> {
    const first = start(place, "first", 2);
    await waitFor("the rows of the step before", () => first.taken.length > 1);
    await end(first.child);
    const killed = start(place, "killed", 3, "once");
    await waitFor("a part of the copy", () => killed.copied.some((count) => count > 0));
    await end(killed.child);
    assert.ok(
      (killed.copied.at(-1) ?? 0) < ROWS && !killed.done,
      `${killed.copied.at(-1)} of ${ROWS} copied`,
    );
    if (processes > 1) {
      // Its term is over.
      await query("UPDATE schema_steps SET worker_until = 0 WHERE version = 3");
    }
    const others = Array.from({ length: processes }, (_, at) => start(place, `other${at}`, 3));
    await waitFor("the whole copy", () => others.every(({ done }) => done));
    await Promise.all(others.map(({ child }) => end(child)));
    const workers = new Set(others.flatMap((other) => [...other.workers]));
    for (const worker of killed.workers) workers.delete(worker);
    assert.equal(workers.size, 1, "one of the processes copies");
    assert.ok([killed, ...others].some(({ meanwhile }) => meanwhile > 0));
    const [row] =
      await query(`SELECT count(*) AS count, min(n.number - n.id) AS least, max(n.number - n.id) AS most,
      (SELECT count(*) FROM notes_2) AS before FROM notes n`);
    assert.deepEqual([row?.count, row?.before, row?.least, row?.most].map(Number), [
      ROWS,
      ROWS,
      41790000000,
      41790000000,
    ]);
    const keys = new Set((await query("SELECT job_key FROM jobs")).map((each) => each.job_key));
    for (const key of [first, killed, ...others].flatMap(({ taken }) => taken)) {
      assert.ok(keys.has(key), `${key} was accepted`);
    }
  }

  it("copies them beside new messages, and goes on after a kill, in a file", async () => {
    const { DatabaseSync } = await loadSqlite();
    await proves(
      folder(),
      async (sql) => {
        // Its lock stays until its statements are collected, so nobody opens the file after this.
        const database = new DatabaseSync(join(folder(), "messages.db"));
        try {
          return database.prepare(sql).all();
        } finally {
          database.close();
        }
      },
      1,
    );
  });

  it("copies them beside new messages, once for all processes, and goes on after a kill, in PostgreSQL", async () => {
    const url = await server().newDatabase();
    await proves(
      url,
      (sql) => server().query(sql.replaceAll(/(FROM|UPDATE) (?=\w)/g, "$1 messaging."), url),
      2,
    );
  });
});
