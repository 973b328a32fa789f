import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { STORE_FILE } from "../../../shared/own-files";
import { shareSqlite } from "../../../store/engine/sqlite/shared-sqlite";
import { loadSqlite } from "../../../store/engine/sqlite/sqlite-driver";
import { folderFault, wordsOf } from "../../../store/engine/sqlite/sqlite-fault";
import { StoreError, type StoreFault } from "../../../store/engine/store-error";
import { Store } from "../../../store/store";
import { say } from "../../../texts/say";
import { byteSize, type FoundStore } from "./found-store";

/** Reads an existing file; creates none. @throws StoreError */
export async function checkFolder(folder: string): Promise<FoundStore> {
  const place = join(folder, STORE_FILE);
  if ((await readSize(place)) === null) {
    return { code: "NEW", place, detail: await sizes(0, await checkParent(folder)) };
  }
  await openOnce(folder);
  return { code: "OK", place, detail: await sizes((await readSize(place)) ?? 0, folder) };
}

async function sizes(used: number, folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder);
  return say("account.storage.size", { size: byteSize(used), free: byteSize(bavail * bsize) });
}

const failure = (fault: StoreFault, place: string, error: unknown): StoreError =>
  new StoreError(fault, place, wordsOf(error), false);

/** Returns the size with the log; null for a missing file. @throws StoreError */
async function readSize(file: string): Promise<number | null> {
  const [main, log] = await Promise.all(
    [file, `${file}-wal`].map((each) =>
      stat(each).then(
        ({ size }) => size,
        (error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") {
            return null;
          }
          throw failure(folderFault(error), dirname(file), error);
        },
      ),
    ),
  );
  return main == null ? null : main + (log ?? 0);
}

async function openOnce(folder: string): Promise<void> {
  const { engine, release } = await shareSqlite(folder);
  try {
    await new Store(engine, { keepTexts: false }).probe();
  } finally {
    await release();
  }
}

/** Checks that the closest existing folder is writable. @throws StoreError */
async function checkParent(folder: string): Promise<string> {
  await loadSqlite().catch((error: unknown) => {
    throw failure("STORE_NO_DRIVER", folder, error);
  });
  for (let parent = folder; ; parent = dirname(parent)) {
    try {
      // Windows reports a missing file below a file; other systems report that it is no folder.
      if (!(await stat(parent)).isDirectory()) {
        throw new StoreError("STORE_NO_FOLDER", parent, "", false);
      }
      await access(parent, constants.W_OK | constants.X_OK);
      return parent;
    } catch (error) {
      if (error instanceof StoreError) {
        throw error;
      }
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === dirname(parent)) {
        throw failure(folderFault(error), parent, error);
      }
    }
  }
}
