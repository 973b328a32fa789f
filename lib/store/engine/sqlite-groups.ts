import type { Row } from "./engine";
import type { SqliteDatabase, SqliteDriver, SqliteStatement } from "./sqlite-driver";
import { sqliteFault, wordsOf } from "./sqlite-fault";
import { closeSqlite, OpenError, openSqlite } from "./sqlite-file";
import type { Batch, Failure, NumberedCall, Reply, SqliteThreadData } from "./sqlite-protocol";

type Operation = Batch["operations"][number];

/** The pause after an attempt to open is at least this many times as long as the attempt. */
const PAUSE_FACTOR = 10;

/** An error after which the handle is given up. */
class HandleError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.fault);
  }
}

/**
 * Runs groups of operations, each group in one transaction. A handle with which reading, writing or a commit failed is never used
 * again: what it still holds in memory may differ from the disk. The next group opens the file anew, and checks it.
 */
export class SqliteGroups {
  readonly #texts = new Map<number, string>();
  readonly #prepared = new Map<number, SqliteStatement>();
  #database: SqliteDatabase | null = null;
  #suspect = false;
  /** Why the file cannot be opened, and until when nobody tries again. */
  #refused: { readonly failure: Failure; readonly until: number } | null = null;

  constructor(
    private readonly driver: SqliteDriver,
    private readonly data: SqliteThreadData,
  ) {}

  addTexts(texts: Batch["texts"]): void {
    for (const [statement, text] of texts) {
      this.#texts.set(statement, text);
    }
  }

  /** Runs the operations and commits once. Each succeeds or fails by itself, unless the database fails them all. */
  run(operations: readonly Operation[]): Reply[] {
    let committing = false;
    try {
      const database = this.#open();
      database.exec("BEGIN IMMEDIATE");
      const replies = operations.map(([id, calls]) => this.#runOne(database, id, calls));
      committing = true;
      database.exec("COMMIT");
      return replies;
    } catch (error) {
      const failure = this.#giveUp(error, committing);
      return operations.map(([id]) => ({ id, failure }));
    }
  }

  /** Returns at most a few MB of free pages to the disk, and empties the log, which still holds what was deleted. */
  tidy(): void {
    try {
      const database = this.#open();
      database.prepare("PRAGMA incremental_vacuum(1000)").all();
      database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
    } catch (error) {
      this.#giveUp(error, false);
    }
  }

  close(): void {
    const database = this.#database;
    this.#drop();
    closeSqlite(database);
  }

  #runOne(database: SqliteDatabase, id: number, calls: readonly NumberedCall[]): Reply {
    // A statement alone is undone by SQLite itself when it fails.
    const several = calls.length > 1;
    if (several) {
      database.exec("SAVEPOINT operation");
    }
    try {
      const rows = calls.map(([statement, values]) => this.#prepare(database, statement).all(...values));
      if (several) {
        database.exec("RELEASE operation");
      }
      return { id, rows: rows as Row[][] };
    } catch (error) {
      if (sqliteFault(error) !== null) {
        throw error;
      }
      if (several) {
        database.exec("ROLLBACK TO operation");
        database.exec("RELEASE operation");
      }
      return { id, failure: { fault: "STORE_REFUSED", detail: wordsOf(error), uncertain: false } };
    }
  }

  #prepare(database: SqliteDatabase, statement: number): SqliteStatement {
    let prepared = this.#prepared.get(statement);
    if (prepared === undefined) {
      prepared = database.prepare(this.#texts.get(statement) ?? "");
      this.#prepared.set(statement, prepared);
    }
    return prepared;
  }

  /** @throws HandleError */
  #open(): SqliteDatabase {
    if (this.#database !== null) {
      return this.#database;
    }
    const start = performance.now();
    if (this.#refused !== null && start < this.#refused.until) {
      throw new HandleError(this.#refused.failure);
    }
    try {
      this.#database = openSqlite(this.driver, this.data, this.#suspect);
      this.#suspect = false;
      this.#refused = null;
      return this.#database;
    } catch (error) {
      const { fault, message } = error as OpenError;
      const failure = { fault, detail: message, uncertain: false };
      const end = performance.now();
      const pause = Math.max(this.data.reopenPause, PAUSE_FACTOR * (end - start));
      this.#refused = { failure, until: end + pause };
      throw new HandleError(failure);
    }
  }

  #giveUp(error: unknown, uncertain: boolean): Failure {
    if (error instanceof HandleError) {
      return error.failure;
    }
    const fault = sqliteFault(error) ?? "STORE_IO";
    this.#suspect ||= fault === "STORE_IO" || fault === "STORE_DAMAGED";
    this.close();
    return { fault, detail: wordsOf(error), uncertain };
  }

  #drop(): void {
    this.#prepared.clear();
    this.#database = null;
  }
}
