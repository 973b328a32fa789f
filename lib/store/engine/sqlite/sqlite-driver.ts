import type { Rows, Value } from "../engine";

/** The part of `DatabaseSync` that is used; `node:sqlite` and `@photostructure/sqlite` both have it. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  all(...values: readonly Value[]): Record<string, Value>[];
}

/** Runs a call, of several entries once for each. @returns all rows */
export function runCall(
  statement: SqliteStatement,
  values: readonly Value[],
  entries?: readonly (readonly Value[])[],
): Rows {
  return entries === undefined
    ? statement.all(...values)
    : entries.flatMap((entry) => statement.all(...entry));
}

export interface SqliteDriver {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly: boolean }) => SqliteDatabase;
}

/** Node.js has SQLite built in from 22.13 on; before that it needs a flag and prints a warning that nobody here can act on. */
function builtIn(): SqliteDriver | null {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 13)) {
    return null;
  }
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return (process.getBuiltinModule("node:sqlite") as SqliteDriver | undefined) ?? null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * SQLite of Node.js where it has it, else the optional package.
 * @throws Error where neither is there: the package has no binary for this computer, or was not installed
 */
export async function loadSqlite(): Promise<SqliteDriver> {
  return builtIn() ?? (await import("@photostructure/sqlite"));
}
