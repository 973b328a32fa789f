import { realpath } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { Engine } from "./engine";
import { SqliteEngine } from "./sqlite-engine";
import type { SqliteSettings } from "./sqlite-protocol";

export interface SqliteOptions extends Partial<Omit<SqliteSettings, "file">> {}

/** An engine that several users share. `release` may be called once by each. */
export interface SharedEngine {
  readonly engine: Engine;
  /** Gives it back; the last one closes it. Resolves when that is done. */
  readonly release: () => Promise<void>;
}

interface Open {
  readonly engine: SqliteEngine;
  users: number;
}

/** Name of the file in its folder. SQLite keeps its log beside it, with `-wal` at the end of the name. */
export const STORE_FILE = "messages.db";
const THREAD = join(__dirname, `sqlite-thread${extname(__filename)}`);
/** A Node-RED that is being restarted needs a moment to let the file go. */
const LOCK_TIMEOUT = 2_000;
const REOPEN_PAUSE = 1_000;

const open = new Map<string, Open>();
const closing = new Map<string, Promise<void>>();

/** A folder that may not be there yet, with every link on the way to it followed: one file has one lock, whatever its names. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    // What is wrong with it is said by whoever opens the file.
    const parent = dirname(folder);
    return parent === folder ? folder : join(await realFolder(parent), basename(folder));
  }
}

/**
 * The engine of the file `messages.db` in a folder: the same one for everybody in this process who names the folder. The
 * file is opened with the first operation, which reports what is wrong with it.
 * @param options count for the first one who opens it
 */
export async function shareSqlite(folder: string, options: SqliteOptions = {}): Promise<SharedEngine> {
  const file = join(await realFolder(resolve(folder)), STORE_FILE);
  while (closing.has(file)) {
    await closing.get(file);
  }
  let entry = open.get(file);
  if (entry === undefined) {
    const engine = new SqliteEngine({
      lockTimeout: LOCK_TIMEOUT,
      reopenPause: REOPEN_PAUSE,
      thread: THREAD,
      ...options,
      file,
    });
    entry = { engine, users: 0 };
    open.set(file, entry);
  }
  const mine = entry;
  mine.users++;
  let released: Promise<void> | null = null;
  return { engine: mine.engine, release: () => (released ??= release(file, mine)) };
}

async function release(file: string, entry: Open): Promise<void> {
  entry.users--;
  if (entry.users > 0) {
    return;
  }
  open.delete(file);
  const closed = entry.engine.close();
  closing.set(file, closed);
  await closed;
  if (closing.get(file) === closed) {
    closing.delete(file);
  }
}
