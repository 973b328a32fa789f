import { dirname, join } from "node:path";
import { workerData } from "node:worker_threads";
import { serveSqlite } from "../../../lib/store/engine/sqlite/serve-sqlite";
import { loadSqlite, type SqliteDriver } from "../../../lib/store/engine/sqlite/sqlite-driver";

type Wrap = (real: SqliteDriver) => SqliteDriver;

/** A thread of the store whose driver is made by `driver.cjs` in the folder of the file. */
async function load(): Promise<SqliteDriver> {
  const { file } = workerData as { readonly file: string };
  const wrap = require(join(dirname(file), "driver.cjs")) as Wrap;
  return wrap(await loadSqlite());
}

serveSqlite(load());
