import { realpath } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { STORE_FILE } from "../../../shared/own-files";
import { type SharedEngine, SharedEngines } from "../shared-engines";
import { TIMEOUT_FACTOR } from "../timeout-factor";
import { SqliteEngine } from "./sqlite-engine";
import type { SqliteSettings } from "./sqlite-protocol";

export type { SharedEngine } from "../shared-engines";

export interface SqliteOptions extends Partial<Omit<SqliteSettings, "file" | "reads">> {}

const THREAD = join(__dirname, `sqlite-thread${extname(__filename)}`);
/** A Node-RED that is being restarted needs a moment to let the file go. */
const LOCK_TIMEOUT = 2_000 * TIMEOUT_FACTOR;
const REOPEN_PAUSE = 1_000;
const READ_IDLE = 60_000;

const engines = new SharedEngines();

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
  return engines.share(
    file,
    () =>
      new SqliteEngine({
        lockTimeout: LOCK_TIMEOUT,
        reopenPause: REOPEN_PAUSE,
        readIdle: READ_IDLE,
        thread: THREAD,
        ...options,
        file,
        reads: false,
      }),
  );
}
