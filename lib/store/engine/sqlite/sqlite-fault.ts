import type { StoreFault } from "../store-error";

/** Primary result codes of SQLite, the lower byte of `errcode`, with their messages. */
const FAULTS: readonly (readonly [number, string, StoreFault])[] = [
  [5, "database is locked", "STORE_LOCKED"],
  [6, "database table is locked", "STORE_LOCKED"],
  [8, "attempt to write a readonly database", "STORE_READ_ONLY"],
  [10, "disk I/O error", "STORE_IO"],
  [11, "database disk image is malformed", "STORE_DAMAGED"],
  [13, "database or disk is full", "STORE_FULL"],
  [14, "unable to open database file", "STORE_IO"],
  [26, "file is not a database", "STORE_DAMAGED"],
];

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
  // `all` of @photostructure/sqlite throws errors without a result code.
  const found = FAULTS.find(([code, words]) =>
    typeof errcode === "number" ? errcode % 256 === code : message === words,
  );
  return found?.[2] ?? null;
}

/** What an error of the file system means for the folder of the database. */
export function folderFault(error: unknown): StoreFault {
  const { code } = error as { readonly code?: unknown };
  return (typeof code === "string" ? SYSTEM_FAULTS[code] : undefined) ?? "STORE_NO_FOLDER";
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
