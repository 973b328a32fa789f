import type { Statement } from "../schema/statement";

/** What a column holds. Whole numbers stay below 2^53; bytes are kept as Base64. */
export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

export type Rows = readonly Row[];

/** One statement with its parameters, in the order of `?1`, `?2` and so on. */
export interface Call {
  readonly statement: Statement;
  readonly values: readonly Value[];
  /** Of an `entryStatement`: the values of each entry, in place of parameters. */
  readonly entries?: readonly (readonly Value[])[];
}

/**
 * Whether an operation may share a transaction with others. `alone`: others may wait for the rows that it changes, or it takes long;
 * `shared`: with others of this tick; `patient`: the same, and it may wait some ms for others.
 */
export type Sharing = "alone" | "shared" | "patient";

/**
 * A relational database that keeps what its concerns write. There is one for a file or a PostgreSQL schema in a
 * process; every class beside the engine works with this interface alone.
 */
export interface Engine {
  /** True where no other process can have the database open: then every other instance of it is dead. */
  readonly exclusive: boolean;
  /** Where the data is, for people: the path of the file, or host and name of the database. Never a secret. */
  readonly place: string;
  /** Epoch ms at which an operation of this process was last known to be on the disk; null before the first one. */
  readonly committedAt: number | null;

  /**
   * Runs the calls in order, all or none of them, and resolves with the rows of each once they are on the disk.
   * Operations may share a commit, and still succeed or fail each by itself. An operation sees what those have written that
   * resolved before it was asked for. No statement can depend on the result of another one of the operation but through the
   * database.
   *
   * After a rejection with `uncertain` the operation may or may not have happened; whoever repeats it has to be safe
   * against both, as all operations of this layer are. It does not happen later: an operation that was asked for after the rejection
   * and succeeds has seen what became of it.
   * @param calls none: listeners are told, and nothing is written
   * @param wake topics that are told to listeners of all processes after the commit
   * @throws StoreError
   */
  run(calls: readonly Call[], wake?: readonly string[], sharing?: Sharing): Promise<readonly Rows[]>;

  /**
   * Runs calls that only read, in one snapshot, with a handle and a thread or connection of their own: commits do not wait for them. They
   * see all that was resolved before they were asked for. The handle is opened with the first of them, and closed after some time
   * without one. Where the place of the data allows only one handle, they are run like others.
   * @throws StoreError
   */
  read(calls: readonly Call[]): Promise<readonly Rows[]>;

  /**
   * Calls back after commits that named the topic, here or in another process. A message can be lost with a connection, so listeners also
   * look by themselves from time to time.
   * @returns ends it
   */
  listen(topic: string, listener: () => void): () => void;

  /** Gives space of deleted rows back to the disk, a small part with each call, where the database does not do so itself. */
  tidy(): Promise<void>;

  /** Finishes what was asked for, then closes the database. Later operations are rejected with STORE_CLOSED. */
  close(): Promise<void>;
}
