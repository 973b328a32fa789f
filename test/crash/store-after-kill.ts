import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSqlite } from "../../lib/store/engine/sqlite/sqlite-driver";

/** What the file of a store says while no process has it. */
export interface StoreAfterKill {
  /** State of each number whose result has not left its node. */
  readonly open: ReadonlyMap<string, string>;
  /** Of the numbers in question those that are in the store with their whole message. */
  readonly taken: ReadonlySet<string>;
}

const OPEN = `SELECT c.number, r.state FROM requests r JOIN recipients c ON c.request = r.id WHERE r.state <> 'emitted'`;
const TAKEN = `SELECT DISTINCT c.number FROM json_each(?1) n JOIN recipients c ON c.number = n.value
  JOIN requests r ON r.id = c.request JOIN jobs j ON j.id = r.job WHERE j.sealed = 1`;

/**
 * Reads a store that nobody has open, by statements of its own: a mistake in those of the package must not hide here. It reads
 * a copy, so that the next process finds what the one before has left.
 * @param folder of the store; nothing was taken where it has no file
 */
export async function readStoreAfterKill(
  folder: string,
  numbers: readonly string[],
): Promise<StoreAfterKill> {
  const copy = mkdtempSync(join(tmpdir(), "messaging-crash-"));
  try {
    for (const name of ["messages.db", "messages.db-wal"]) {
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
    }
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(join(copy, "messages.db"));
    try {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE name = 'recipients'").all();
      if (tables.length === 0) return { open: new Map(), taken: new Set() };
      const open = database.prepare(OPEN).all();
      const taken = database.prepare(TAKEN).all(JSON.stringify(numbers));
      return {
        open: new Map(open.map(({ number, state }) => [String(number), String(state)])),
        taken: new Set(taken.map(({ number }) => String(number))),
      };
    } finally {
      database.close();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
