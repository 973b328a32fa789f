import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KEY_FILE } from "../../shared/own-files";
import { folderFault, wordsOf } from "../../store/engine/sqlite/sqlite-fault";
import { StoreError } from "../../store/engine/store-error";

/** Bytes of the secret in the file. */
const LENGTH = 32;

/** Faults of file systems that have no second name for a file. */
const NO_LINKS: readonly unknown[] = ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "EINVAL"];

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;

/** Files that are being read or made, so that accounts of this process that share a folder make one. */
const reading = new Map<string, Promise<Buffer>>();

/**
 * The random secret of a folder, in its file `key`. Who asks first makes it, for the user of this process alone; it never changes.
 * @param folder absolute path of the folder of a store
 * @returns 32 bytes
 * @throws StoreError STORE_DAMAGED for a file of another length, or what keeps the file from being read or written
 */
export function folderSecret(folder: string): Promise<Buffer> {
  const file = join(folder, KEY_FILE);
  const known = reading.get(file);
  if (known !== undefined) {
    return known;
  }
  const secret = readOrMake(file).finally(() => reading.delete(file));
  reading.set(file, secret);
  return secret;
}

async function readOrMake(file: string): Promise<Buffer> {
  try {
    const found = await readIfThere(file);
    if (found === null) {
      await make(file);
    }
    // Also after making it: another process may have been first.
    const secret = found ?? (await readFile(file));
    if (secret.length !== LENGTH) {
      throw new StoreError("STORE_DAMAGED", file, "", false);
    }
    return secret;
  } catch (error) {
    throw error instanceof StoreError
      ? error
      : new StoreError(folderFault(error), file, wordsOf(error), false);
  }
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      return null;
    }
    throw error;
  }
}

/** The file gets its name when it is complete and on the disk, so that nobody reads a part of it. */
async function make(file: string): Promise<void> {
  const folder = dirname(file);
  if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) {
    await chmod(folder, 0o700);
  }
  const secret = randomBytes(LENGTH);
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    await write(draft, secret);
    await name(draft, file);
    await syncFolder(folder);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      throw error;
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function name(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (!NO_LINKS.includes(codeOf(error))) {
      throw error;
    }
    await write(file, await readFile(draft));
  }
}

/** Only a new file, and onto the disk. */
const write = (file: string, secret: Buffer): Promise<void> =>
  writeFile(file, secret, { flag: "wx", mode: 0o600, flush: true });

/** Not every system lets a folder be synchronised. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {}
}
