export const STORE_FOLDER = "messaging";

/** SQLite keeps `-wal` beside it. */
export const STORE_FILE = "messages.db";

/** Folds names as the most tolerant file system does. */
export const foldName = (name: string): string => name.normalize("NFKC").toLowerCase();

const OWN_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  "lib",
  "nodes",
  "context",
  "projects",
  "externalmodules",
  STORE_FOLDER,
]);

const OWN_NAMES: ReadonlySet<string> = new Set([
  "package.json",
  "package-lock.json",
  "npm-shrinkwrap.json",
  // The environment of the system service.
  "environment",
]);

const SETTINGS = /^settings\.(c?js|mjs|ts|json)$/;

/** A short name of Windows can stand for any file. */
const SHORT_NAME = /~\d/;

export const isCredentialsName = (name: string): boolean => foldName(name).endsWith("_cred.json");

export const isStoreFileName = (name: string): boolean => foldName(name).startsWith(STORE_FILE);

/** True for Node-RED's own, hidden and ambiguous names. */
export function isOwnFileName(name: string): boolean {
  const plain = foldName(name);
  return (
    plain.startsWith(".") ||
    OWN_NAMES.has(plain) ||
    SETTINGS.test(plain) ||
    isCredentialsName(name) ||
    (plain.startsWith("flows") && plain.endsWith(".json")) ||
    SHORT_NAME.test(plain)
  );
}

/** True for Node-RED's own, hidden and store folders. */
export function isOwnFolderName(name: string): boolean {
  const plain = foldName(name);
  return plain.startsWith(".") || OWN_FOLDERS.has(plain) || SHORT_NAME.test(plain);
}

/** Returns the folders below the user directory, or null for a path that only the disk can decide. */
export function foldersBelow(path: string): readonly string[] | null {
  const typed = path.trim();
  if (/^([/\\]|[A-Za-z]:)/.test(typed)) {
    return null;
  }
  const folders: string[] = [];
  for (const part of typed.split(/[/\\]/)) {
    if (part === "..") {
      if (folders.pop() === undefined) {
        return null;
      }
    } else if (part !== "" && part !== ".") {
      folders.push(part);
    }
  }
  return folders;
}
