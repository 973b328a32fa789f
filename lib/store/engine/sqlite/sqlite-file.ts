import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { SQLITE } from "../../schema/dialect";
import { MIGRATIONS, SCHEMA_VERSION, VERSIONS_TABLE } from "../../schema/migrations";
import type { SqliteDatabase, SqliteDriver } from "./sqlite-driver";
import { OpenError } from "../open-error";
import { folderFault, sqliteFault, wordsOf } from "./sqlite-fault";
import type { SqliteThreadData } from "./sqlite-protocol";

/** Only the user of this process may enter the folder and read the file. A folder that was there keeps its rights. */
function makeFile(file: string): void {
  try {
    const made = mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (made !== undefined) {
      chmodSync(dirname(file), 0o700);
    }
    closeSync(openSync(file, "a", 0o600));
    // SQLite gives its other files the rights of this one.
    chmodSync(file, 0o600);
  } catch (error) {
    throw new OpenError(folderFault(error), wordsOf(error));
  }
}

/**
 * `locking_mode` EXCLUSIVE keeps the lock for as long as the file is open, and the index of the log in memory. The space
 * of deleted rows is overwritten: a number that was deleted is not to be found in the file.
 */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -16384;
  PRAGMA temp_store = MEMORY;
  PRAGMA secure_delete = ON;`;

function configure(database: SqliteDatabase, lockTimeout: number): void {
  database.exec(`PRAGMA busy_timeout = ${lockTimeout}; PRAGMA locking_mode = EXCLUSIVE`);
  const [row] = database.prepare("PRAGMA page_count").all();
  if (row?.page_count === 0) {
    // Writes to the file even where nothing changes.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  }
  database.exec(SETTINGS);
}

function migrate(database: SqliteDatabase): void {
  database.exec("BEGIN IMMEDIATE");
  const known = database.prepare("SELECT name FROM sqlite_master WHERE name = 'schema_versions'").all();
  const [row] =
    known.length === 0 ? [] : database.prepare("SELECT max(version) AS version FROM schema_versions").all();
  const present = Number(row?.version ?? 0);
  if (present > SCHEMA_VERSION) {
    throw new OpenError("STORE_NEWER", `${present} > ${SCHEMA_VERSION}`);
  }
  database.exec(VERSIONS_TABLE);
  for (const { version, statements } of MIGRATIONS.slice(present)) {
    for (const sql of statements(SQLITE)) {
      database.exec(sql);
    }
    database.prepare("INSERT INTO schema_versions VALUES (?1, ?2)").all(version, Date.now());
  }
  database.exec("COMMIT");
}

function check(database: SqliteDatabase): void {
  const [row] = database.prepare("PRAGMA quick_check(1)").all();
  if (row?.quick_check !== "ok") {
    throw new OpenError("STORE_DAMAGED", String(row?.quick_check));
  }
}

/**
 * Opens the file, and makes or completes its tables; reads and checks all of it where the last handle failed.
 * @throws OpenError
 */
export function openSqlite(
  { DatabaseSync }: SqliteDriver,
  { file, lockTimeout, suspect }: SqliteThreadData,
): SqliteDatabase {
  makeFile(file);
  let database: SqliteDatabase | null = null;
  try {
    database = new DatabaseSync(file);
    configure(database, lockTimeout);
    migrate(database);
    if (suspect) {
      check(database);
    }
    return database;
  } catch (error) {
    closeSqlite(database);
    if (error instanceof OpenError) {
      throw error;
    }
    throw new OpenError(sqliteFault(error) ?? "STORE_IO", wordsOf(error));
  }
}

/** A handle that failed may fail again while it is closed; there is nothing left to do with it then. */
export function closeSqlite(database: SqliteDatabase | null): void {
  try {
    database?.close();
  } catch {}
}
