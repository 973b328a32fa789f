/** The part of `DatabaseSync` that is used; `node:sqlite` and `@photostructure/sqlite` both have it. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  all(...values: readonly (string | number | null)[]): Record<string, string | number | null>[];
}

export interface SqliteDriver {
  readonly DatabaseSync: new (file: string) => SqliteDatabase;
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

async function load(module: string): Promise<SqliteDriver> {
  const loaded = (await import(module)) as Partial<SqliteDriver> & { readonly default?: SqliteDriver };
  const driver = loaded.DatabaseSync === undefined ? loaded.default : (loaded as SqliteDriver);
  if (driver?.DatabaseSync === undefined) {
    throw new Error("no DatabaseSync");
  }
  return driver;
}

/**
 * SQLite of Node.js where it has it, else the optional package.
 * @param module another module to load instead; tests break the database in it
 * @throws Error where neither is there: the package has no binary for this computer, or was not installed
 */
export async function loadSqlite(module?: string): Promise<SqliteDriver> {
  return module === undefined ? (builtIn() ?? load("@photostructure/sqlite")) : load(module);
}
