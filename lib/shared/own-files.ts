/**
 * What in Node-RED's user directory belongs to Node-RED, by name: its settings, flows, credentials and packages, and
 * the folders that it loads code or contexts from; and the messages that accounts keep. Runs in the edit dialog too, which
 * knows names but not the disk.
 */

/** The folder in the user directory in which accounts that name none keep messages. */
export const STORE_FOLDER = "messaging";

/** The file with the messages. SQLite keeps its log beside it, with `-wal` at the end of the name. */
export const STORE_FILE = "messages.db";

/** Names are compared as the most tolerant file system does: without case, and with equal-looking letters as one. */
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

/** Of Windows' short names, one can stand for any file. */
const SHORT_NAME = /~\d/;

/** Whether a file of this name holds the credentials of flows. */
export const isCredentialsName = (name: string): boolean => foldName(name).endsWith("_cred.json");

/** Whether a file of this name, in whatever folder, may hold messages of an account. */
export const isStoreFileName = (name: string): boolean => foldName(name).startsWith(STORE_FILE);

/** Whether a file of this name in the user directory is one of Node-RED's own, or is hidden, or may stand for one. */
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

/** Whether a folder directly in the user directory is one of Node-RED's own, or that of kept messages, or is hidden. */
export function isOwnFolderName(name: string): boolean {
  const plain = foldName(name);
  return plain.startsWith(".") || OWN_FOLDERS.has(plain) || SHORT_NAME.test(plain);
}

/**
 * The folders that a path leads through below the user directory, none for that directory itself; null for a complete
 * path and one that leaves the directory, about which only the disk can tell.
 */
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
