import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../../lib/store/engine/engine";
import { type SqliteOptions, shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { StoreError } from "../../../lib/store/engine/store-error";
import { call } from "../../../lib/store/engine/query";
import { waitFor } from "../../support/wait-for";
import { add, LIST, once } from "./engine-statements";
import { failingDriver } from "./failing-driver";
import { useFolder } from "./use-folder";

/** Goes on until the test makes `go`. */
const HOLD = `if (sql === "BEGIN" && noted("hold")) {
    note("reading");
    const nap = new Int32Array(new SharedArrayBuffer(4));
    while (!noted("go")) Atomics.wait(nap, 0, 0, 5);
  }`;

const read = async (engine: Engine): Promise<unknown[]> =>
  (await engine.read([call(LIST)]))[0]!.map(({ account }) => account);

describe("reads beside the thread that commits", () => {
  const folder = useFolder();
  const releases: (() => Promise<void>)[] = [];
  afterEach(async () => {
    writeFileSync(join(folder(), "go"), "");
    await Promise.all(releases.splice(0).map((release) => release()));
  });

  async function open(options: SqliteOptions = {}): Promise<Engine> {
    const { engine, release } = await shareSqlite(folder(), { reopenPause: 0, ...options });
    releases.push(release);
    return engine;
  }
  const note = async (name: string): Promise<void> => {
    writeFileSync(join(folder(), name), "");
  };

  it("hold up no commit, and neither does cleaning wait for them", async () => {
    const engine = await open({ thread: failingDriver(folder(), HOLD) });
    assert.deepEqual(await read(engine), []);
    await note("hold");
    let answered = 0;
    const reads = Array.from({ length: 20 }, () => read(engine).then(() => answered++));
    await waitFor("the first read", () => existsSync(join(folder(), "reading")));
    await add(engine, "a");
    await add(engine, "b");
    await engine.tidy();
    assert.equal(answered, 0);
    await note("go");
    await Promise.all(reads);
    assert.deepEqual(await read(engine), ["a", "b"]);
  });

  it("change nothing", async () => {
    const engine = await open();
    await add(engine, "a");
    await assert.rejects(engine.read([once("DELETE FROM paused_accounts")]));
    assert.deepEqual(await read(engine), ["a"]);
  });

  it("are finished before the file is closed", async () => {
    const { engine, release } = await shareSqlite(folder());
    await add(engine, "a");
    const reads = Array.from({ length: 10 }, () => read(engine));
    await read(engine);
    await release();
    for (const found of await Promise.all(reads)) {
      assert.deepEqual(found, ["a"]);
    }
    assert.equal(existsSync(join(folder(), "messages.db-wal")), false, "the log was not emptied");
    await assert.rejects(read(engine), ({ code }: StoreError) => code === "STORE_CLOSED");
  });
});
