import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const SHARED_MEMORY = "/dev/shm";

/**
 * Makes a folder in memory, where a commit takes no time. It goes away with this process.
 * @param room bytes that must be free there, and twice as many of the computer's memory
 * @returns null where the system has none, or not so much
 */
export function memoryFolder(name: string, room = 0): string | null {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    if (bavail * bsize < room || freemem() < 2 * room) return null;
    const folder = mkdtempSync(join(SHARED_MEMORY, `messaging-${name}-`));
    // Servers and processes that run as another user have files in it.
    chmodSync(folder, 0o1777);
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return null;
  }
}
