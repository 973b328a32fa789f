import type { Rows, Value } from "../engine";
import type { StoreFault } from "../store-error";

/** What an engine is made with. */
export interface SqliteSettings {
  /** Path of the database file. Its folder is made where it is missing. */
  readonly file: string;
  /** ms to wait for another process to release the file. */
  readonly lockTimeout: number;
  /** ms between two attempts to open a database that cannot be opened. */
  readonly reopenPause: number;
  /** Whether the handle only reads, beside another one of this process that has made the file. */
  readonly reads: boolean;
  /** ms without a read after which the handle that only reads is closed. */
  readonly readIdle: number;
  /** File of the thread's code. Tests have one that breaks the database. */
  readonly thread: string;
}

/** What a thread is started with. */
export interface SqliteThreadData extends SqliteSettings {
  /** Whether the handle before failed in a way that makes the file itself doubtful. */
  readonly suspect: boolean;
  readonly featureTables: readonly string[];
}

/** A statement by number, with its parameters. */
export type NumberedCall = readonly [
  statement: number,
  values: readonly Value[],
  entries?: readonly (readonly Value[])[] | undefined,
];

/** Operations of one turn. */
export interface Batch {
  /** Texts of statements that the thread has not seen, by their number. */
  readonly texts: readonly (readonly [statement: number, text: string])[];
  readonly operations: readonly (readonly [id: number, calls: readonly NumberedCall[]])[];
}

export type ToThread = Batch | "tidy" | "close";

export interface Failure {
  readonly fault: StoreFault;
  readonly detail: string;
  readonly uncertain: boolean;
}

export type Reply =
  | { readonly id: number; readonly rows: readonly Rows[] }
  | { readonly id: number; readonly failure: Failure };

/** Why a thread ends: its handle failed, or it never had one. */
export interface End {
  readonly failure: Failure;
  /** ms that the attempt to open the file took; null where it was open. */
  readonly opening: number | null;
}

/** Replies to the operations of a group. After one with an `end` the thread runs nothing any more. */
export interface Replies {
  readonly replies: readonly Reply[];
  readonly end: End | null;
}

/** `tidied` answers "tidy". */
export type FromThread = Replies | "tidied";
