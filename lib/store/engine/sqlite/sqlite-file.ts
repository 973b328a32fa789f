import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { MIGRATIONS_TABLE, readMigrations, stepsFrom, tablesOfBefore } from "../../schema/migrations";
import type { SqliteDatabase, SqliteDriver } from "./sqlite-driver";
import { checkVersion, OpenError } from "../open-error";
import { folderFault, sqliteFault, wordsOf } from "./sqlite-fault";
import type { SqliteThreadData } from "./sqlite-protocol";

/** Stands in the head of each file from version 1 on. */
const APPLICATION_ID = 0x6d736731;
/** The head of a file as SQLite describes it: how it begins, where its number of pages and the id are, and its length. */
const HEAD = { begin: "SQLite format 3\0", pagesAt: 28, idAt: 68, length: 100 };

/**
 * Refuses a file that was made before version 1. Reads its head without SQLite, which would bring the log into the file when it is closed.
 * @throws OpenError
 */
function refuseEarlier(file: string): void {
  const head = Buffer.alloc(HEAD.length);
  try {
    const descriptor = openSync(file, "r");
    try {
      readSync(descriptor, head);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // It is not there, or whoever opens it says what is wrong.
    return;
  }
  const isDatabase = head.toString("latin1", 0, HEAD.begin.length) === HEAD.begin;
  // A process that was killed while it made the file may have left it without an id and without a table.
  const isBegun =
    existsSync(`${file}-journal`) || (head.readUInt32BE(HEAD.pagesAt) <= 1 && !existsSync(`${file}-wal`));
  if (isDatabase && head.readUInt32BE(HEAD.idAt) !== APPLICATION_ID && !isBegun) {
    throw new OpenError("STORE_EARLIER", "");
  }
}

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

/** The space of deleted rows is overwritten: a number that was deleted is not to be found in the file. */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -16384;
  PRAGMA temp_store = MEMORY;
  PRAGMA secure_delete = ON;`;

const LOCK = "PRAGMA locking_mode = EXCLUSIVE";

/**
 * `locking_mode` EXCLUSIVE keeps the lock for as long as the file is open. Where it is set before the log is opened, the index of the log
 * is in memory, and no second handle can ever read beside this one; else that can be allowed later, when this handle still keeps others
 * from locking the file.
 * @param shareable whether the index of the log is a file, which some container disks cannot share
 */
function configure(database: SqliteDatabase, lockTimeout: number, shareable: boolean): void {
  // Of two processes that open it at once, and wait for each other, one gives up first.
  database.exec(`PRAGMA busy_timeout = ${Math.round(lockTimeout * (1 + Math.random() / 4))}`);
  if (!shareable) {
    database.exec(LOCK);
  }
  const [row] = database.prepare("PRAGMA page_count").all();
  if (row?.page_count === 0) {
    // Writes to the file even where nothing changes.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  }
  // One page has no tables yet.
  if (Number(row?.page_count) <= 1) {
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  }
  database.exec(SETTINGS);
  if (shareable) {
    database.exec("SELECT count(*) FROM sqlite_master");
    database.exec(LOCK);
  }
}

/** Opening, sizing, locking or mapping the index of the log failed, or the protocol of its locks. */
const NO_SHARED_MEMORY = [14, 15, 4618, 4874, 5130, 5386];

function openFile({ DatabaseSync }: SqliteDriver, { file, lockTimeout }: SqliteThreadData): SqliteDatabase {
  const open = (shareable: boolean): SqliteDatabase => {
    const database = new DatabaseSync(file);
    try {
      configure(database, lockTimeout, shareable);
      return database;
    } catch (error) {
      closeSqlite(database);
      throw error;
    }
  };
  try {
    return open(true);
  } catch (error) {
    if (NO_SHARED_MEMORY.includes(Number((error as { readonly errcode?: unknown }).errcode))) {
      return open(false);
    }
    throw error;
  }
}

/** Beside a handle that has made the file; touches nothing. Closing a descriptor of the file would take the locks of the other handle. */
function openToRead({ DatabaseSync }: SqliteDriver, { file, lockTimeout }: SqliteThreadData): SqliteDatabase {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec(
    `PRAGMA busy_timeout = ${lockTimeout}; PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY`,
  );
  return database;
}

function migrate(database: SqliteDatabase): void {
  database.exec("BEGIN IMMEDIATE");
  const found = new Set(
    database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name)),
  );
  const isKnown = found.has(MIGRATIONS_TABLE);
  if (!isKnown && tablesOfBefore("sqlite").some((name) => found.has(name))) {
    throw new OpenError("STORE_EARLIER", "");
  }
  const present = checkVersion(isKnown ? database.prepare(readMigrations()).all() : [], "sqlite");
  for (const { text, values } of stepsFrom(present, "sqlite", Date.now())) {
    if (values.length === 0) {
      database.exec(text);
    } else {
      database.prepare(text).all(...values);
    }
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
export function openSqlite(driver: SqliteDriver, data: SqliteThreadData): SqliteDatabase {
  if (!data.reads) {
    refuseEarlier(data.file);
    makeFile(data.file);
  }
  let database: SqliteDatabase | null = null;
  try {
    if (data.reads) {
      return openToRead(driver, data);
    }
    database = openFile(driver, data);
    migrate(database);
    if (data.suspect) {
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
