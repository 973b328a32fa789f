import { spawnSync } from "node:child_process";

/** A file system of its own in a folder. */
export interface Mounted {
  /** Mounts it once more with other options, such as `ro`. */
  readonly remount: (options: string) => void;
  readonly unmount: () => void;
}

const mount = (...args: readonly string[]): boolean => spawnSync("mount", args).status === 0;

/**
 * Mounts an empty file system in memory.
 * @param options as `size=600k`
 * @returns null where this user may not mount one, which is said in the output
 */
export function mountMemory(folder: string, options: string): Mounted | null {
  if (!mount("-t", "tmpfs", "-o", options, "tmpfs", folder)) {
    console.log("        skipped: this user may not mount a file system, so the disk is not a real one");
    return null;
  }
  return {
    remount: (changed) => {
      if (!mount("-o", `remount,${changed}`, folder)) {
        throw new Error(`cannot remount with ${changed}`);
      }
    },
    unmount: () => void spawnSync("umount", ["-l", folder]),
  };
}
