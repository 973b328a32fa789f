import type { Row } from "../engine";
import { OpenError } from "../open-error";
import { runCall, type SqliteDatabase, type SqliteDriver, type SqliteStatement } from "./sqlite-driver";
import { sqliteFault, wordsOf } from "./sqlite-fault";
import { closeSqlite, openSqlite } from "./sqlite-file";
import type { Batch, End, NumberedCall, Replies, Reply, SqliteThreadData } from "./sqlite-protocol";

type Operation = Batch["operations"][number];

/**
 * Runs groups of operations, each group in one transaction, with one handle. A handle with which reading, writing or a commit
 * failed is never used again: what it holds in memory may differ from the disk. The thread ends then, because closing alone
 * does not give up the lock while prepared statements wait for the garbage collector.
 */
export class SqliteGroups {
  readonly #texts = new Map<number, string>();
  readonly #prepared = new Map<number, SqliteStatement>();
  #database: SqliteDatabase | null = null;
  #end: End | null = null;

  /** @param driver or why there is none: then every operation fails with the reason */
  constructor(
    private readonly driver: SqliteDriver | Error,
    private readonly data: SqliteThreadData,
  ) {}

  /** Why nothing runs any more; null while it does. */
  get end(): End | null {
    return this.#end;
  }

  addTexts(texts: Batch["texts"]): void {
    for (const [statement, text] of texts) {
      this.#texts.set(statement, text);
    }
  }

  /** Runs the operations and commits once. Each succeeds or fails by itself, unless the database fails them all. */
  run(operations: readonly Operation[]): Replies {
    let committing = false;
    try {
      const database = this.#open();
      database?.exec(this.data.reads ? "BEGIN" : "BEGIN IMMEDIATE");
      if (database !== null) {
        const replies = operations.map(([id, calls]) => this.#runOne(database, id, calls));
        committing = true;
        database.exec("COMMIT");
        return { replies, end: null };
      }
    } catch (error) {
      this.#giveUp(error);
    }
    return refusals(operations, this.#end, committing);
  }

  /** Returns at most a few MB of free pages to the disk, and empties the log, which still holds what was deleted. */
  tidy(): void {
    try {
      const database = this.#open();
      database?.prepare("PRAGMA incremental_vacuum(1000)").all();
      // Not while somebody reads an older state: commits would wait for that.
      database?.exec("PRAGMA busy_timeout = 0");
      database?.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
      database?.exec(`PRAGMA busy_timeout = ${this.data.lockTimeout}`);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  close(): void {
    closeSqlite(this.#database);
    this.#database = null;
  }

  #runOne(database: SqliteDatabase, id: number, calls: readonly NumberedCall[]): Reply {
    // A statement alone is undone by SQLite itself when it fails.
    const several = calls.length > 1 || calls[0]?.[2] !== undefined;
    if (several) {
      database.exec("SAVEPOINT operation");
    }
    try {
      const rows = calls.map(([statement, values, entries]) =>
        runCall(this.#prepare(database, statement), values, entries),
      );
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

  /** @returns null after the end */
  #open(): SqliteDatabase | null {
    if (this.#database !== null || this.#end !== null) {
      return this.#database;
    }
    const start = performance.now();
    try {
      if (this.driver instanceof Error) {
        throw new OpenError("STORE_NO_DRIVER", wordsOf(this.driver));
      }
      this.#database = openSqlite(this.driver, this.data);
    } catch (error) {
      const { fault, message } = error as OpenError;
      const failure = { fault, detail: message, uncertain: false };
      this.#end = { failure, opening: performance.now() - start };
    }
    return this.#database;
  }

  #giveUp(error: unknown): void {
    const fault = sqliteFault(error) ?? "STORE_IO";
    this.#end = { failure: { fault, detail: wordsOf(error), uncertain: false }, opening: null };
    this.close();
  }
}

/** Replies to operations that were not committed. @param uncertain whether that was tried */
export function refusals(operations: readonly Operation[], end: End | null, uncertain: boolean): Replies {
  const failure = end?.failure ?? { fault: "STORE_IO" as const, detail: "", uncertain };
  return { replies: operations.map(([id]) => ({ id, failure: { ...failure, uncertain } })), end };
}
