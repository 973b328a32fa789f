import type { StoreFault } from "../store-error";

/** Primary result codes of SQLite, the lower byte of `errcode`. */
const FAULTS: ReadonlyMap<number, StoreFault> = new Map([
  [5, "STORE_LOCKED"],
  [6, "STORE_LOCKED"],
  [8, "STORE_READ_ONLY"],
  [10, "STORE_IO"],
  [11, "STORE_DAMAGED"],
  [13, "STORE_FULL"],
  [14, "STORE_IO"],
  [26, "STORE_DAMAGED"],
]);

/** Messages of SQLite, because `all` of @photostructure/sqlite throws errors without `errcode`. */
const MESSAGES: ReadonlyMap<unknown, StoreFault> = new Map([
  ["disk I/O error", "STORE_IO"],
  ["database disk image is malformed", "STORE_DAMAGED"],
  ["database or disk is full", "STORE_FULL"],
]);

const SYSTEM_FAULTS: Readonly<Record<string, StoreFault>> = {
  EACCES: "STORE_READ_ONLY",
  EPERM: "STORE_READ_ONLY",
  EROFS: "STORE_READ_ONLY",
  ENOSPC: "STORE_FULL",
  EDQUOT: "STORE_FULL",
  EIO: "STORE_IO",
};

/** What an error of SQLite means; null for one of a statement, which leaves the database as it was. */
export function sqliteFault(error: unknown): StoreFault | null {
  const { errcode, message } = error as { readonly errcode?: unknown; readonly message?: unknown };
  const found = typeof errcode === "number" ? FAULTS.get(errcode % 256) : MESSAGES.get(message);
  return found ?? null;
}

/** What an error of the file system means for the folder of the database. */
export function folderFault(error: unknown): StoreFault {
  const { code } = error as { readonly code?: unknown };
  return (typeof code === "string" ? SYSTEM_FAULTS[code] : undefined) ?? "STORE_NO_FOLDER";
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
