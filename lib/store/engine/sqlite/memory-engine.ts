import { say } from "../../../texts/say";
import { stepsFrom } from "../../schema/migrations";
import type { Statement } from "../../schema/statement";
import type { Call, Engine, Rows } from "../engine";
import { StoreError, type StoreFault } from "../store-error";
import { Topics } from "../topics";
import { runCall, type SqliteDatabase, type SqliteDriver, type SqliteStatement } from "./sqlite-driver";
import { sqliteFault, wordsOf } from "./sqlite-fault";

/** Deletes the oldest rows of one kind. */
export interface Eviction {
  /** Ids of rows that are no longer needed. */
  readonly find: Statement;
  /** Delete them, with all that belongs to them. ?1 the ids, ?2 max rows. */
  readonly drop: readonly Statement[];
}

export interface MemoryLimits {
  /** Pages of 4 KiB that may be in use after an accepting statement. */
  readonly maxPages: number;
  /** Further pages for what becomes of accepted messages: without them a full memory could send none. */
  readonly reservedPages: number;
  readonly accepting: () => ReadonlySet<Statement>;
  /** In the order in which they make room. */
  readonly evictions: readonly Eviction[];
}

interface Waiting {
  readonly calls: readonly Call[];
  readonly wake: readonly string[];
  readonly resolve: (rows: readonly Rows[]) => void;
  readonly reject: (error: unknown) => void;
}

/** ms for which operations run in one tick. */
const SLICE_MS = 10;
const MAX_EVICTED_ROWS = 100_000;
/** ms between two scans that find nothing to delete, for each ms that the first one took. */
const SCAN_PAUSE = 20;
const NO_ROOM = Object.assign(new Error("no room for waiting messages"), { errcode: 13 });

/** SQLite in the memory of this process and in its main thread: without a disk there is nothing to wait for. */
export class MemoryEngine implements Engine {
  readonly exclusive = true;
  readonly #topics = new Topics();
  readonly #prepared = new Map<Statement, SqliteStatement>();
  #waiting: Waiting[] = [];
  #scheduled = false;
  #database: SqliteDatabase | null = null;
  #usedPages: SqliteStatement | null = null;
  #nextScan = 0;
  #accepting: ReadonlySet<Statement> = new Set();
  #committedAt: number | null = null;

  /** @param driver rejects if this computer has none */
  constructor(
    private readonly driver: () => Promise<SqliteDriver>,
    private readonly limits: MemoryLimits,
  ) {}

  get place(): string {
    return say("store.memory");
  }

  get committedAt(): number | null {
    return this.#committedAt;
  }

  async run(calls: readonly Call[], wake: readonly string[] = []): Promise<readonly Rows[]> {
    this.#database ??= await this.#open();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ calls, wake, resolve, reject });
      this.#schedule();
    });
  }

  /** Runs a statement at once, for a process that exits. */
  runSync({ statement, values }: Call): Rows {
    return this.#database === null ? [] : this.#prepare(statement).all(...values);
  }

  read(calls: readonly Call[]): Promise<readonly Rows[]> {
    return this.run(calls);
  }

  listen(topic: string, listener: () => void): () => void {
    return this.#topics.listen(topic, listener);
  }

  async tidy(): Promise<void> {}

  async close(): Promise<void> {}

  async #open(): Promise<SqliteDatabase> {
    let driver: SqliteDriver;
    try {
      driver = await this.driver();
    } catch (error) {
      throw this.#error("STORE_NO_DRIVER", error);
    }
    // Another operation may have opened it during the wait.
    return this.#database ?? this.#create(driver);
  }

  #create({ DatabaseSync }: SqliteDriver): SqliteDatabase {
    const database = new DatabaseSync(":memory:");
    database.exec("PRAGMA temp_store = MEMORY");
    database.exec(`PRAGMA max_page_count = ${this.limits.maxPages + this.limits.reservedPages}`);
    for (const { text, values } of stepsFrom(0, "sqlite", Date.now())) {
      database.prepare(text).all(...values);
    }
    this.#usedPages = database.prepare(
      "SELECT page_count - freelist_count AS count FROM pragma_page_count CROSS JOIN pragma_freelist_count",
    );
    this.#accepting = this.limits.accepting();
    this.#database = database;
    return database;
  }

  #schedule(): void {
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#runWaiting();
      });
    }
  }

  /** Runs operations until none is left or the slice is over. */
  #runWaiting(): void {
    const end = performance.now() + SLICE_MS;
    const woken = new Set<string>();
    const waiting = this.#waiting;
    let count = 0;
    while (count < waiting.length && performance.now() < end) {
      const { calls, wake, resolve, reject } = waiting[count++] as Waiting;
      try {
        resolve(this.#transaction(calls));
        for (const topic of wake) {
          woken.add(topic);
        }
      } catch (error) {
        reject(error);
      }
    }
    this.#waiting = waiting.slice(count);
    if (this.#waiting.length > 0) {
      this.#schedule();
    }
    this.#topics.tell(woken);
  }

  /** @throws StoreError */
  #transaction(calls: readonly Call[]): readonly Rows[] {
    try {
      for (;;) {
        try {
          return this.#runOnce(calls);
        } catch (error) {
          if (sqliteFault(error) !== "STORE_FULL" || !this.#evict()) {
            throw error;
          }
        }
      }
    } catch (error) {
      const fault = sqliteFault(error) === "STORE_FULL" ? "STORE_MEMORY_FULL" : "STORE_REFUSED";
      throw this.#error(fault, error);
    }
  }

  #runOnce(calls: readonly Call[]): readonly Rows[] {
    if (calls.length === 0) {
      return [];
    }
    const database = this.#database as SqliteDatabase;
    database.exec("BEGIN");
    try {
      const rows = calls.map(({ statement, values, entries }) =>
        runCall(this.#prepare(statement), values, entries),
      );
      this.#checkRoom(calls);
      database.exec("COMMIT");
      this.#committedAt = Date.now();
      return rows;
    } catch (error) {
      // A full database has undone the transaction before.
      try {
        database.exec("ROLLBACK");
      } catch {}
      throw error;
    }
  }

  #checkRoom(calls: readonly Call[]): void {
    if (calls.some(({ statement }) => this.#accepting.has(statement))) {
      const [used] = this.#usedPages?.all() ?? [];
      if (Number(used?.count) > this.limits.maxPages) {
        throw NO_ROOM;
      }
    }
  }

  /** Deletes the oldest rows that are no longer needed. @returns false if there are none */
  #evict(): boolean {
    const start = performance.now();
    if (start < this.#nextScan) {
      return false;
    }
    for (const { find, drop } of this.limits.evictions) {
      const found = this.#prepare(find).all();
      if (found.length > 0) {
        const ids = JSON.stringify(found.map(({ id }) => id));
        this.#runOnce(drop.map((statement) => ({ statement, values: [ids, MAX_EVICTED_ROWS] })));
        return true;
      }
    }
    const end = performance.now();
    this.#nextScan = end + SCAN_PAUSE * (end - start);
    return false;
  }

  #prepare(statement: Statement): SqliteStatement {
    const known = this.#prepared.get(statement);
    if (known !== undefined) {
      return known;
    }
    const prepared = (this.#database as SqliteDatabase).prepare(statement.text("sqlite"));
    this.#prepared.set(statement, prepared);
    return prepared;
  }

  #error(fault: StoreFault, error: unknown): StoreError {
    return new StoreError(fault, this.place, wordsOf(error), false);
  }
}
