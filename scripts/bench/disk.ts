import { closeSync, fdatasync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../test/support/node-red/packed-package";
import { median } from "./report/statistics";

const COMMITS = 200;
const PAGE = Buffer.alloc(4096, 1);
const synced = promisify(fdatasync);

/** ms until 4 KB more of a file have reached the disk on which the stores of the bench are: the median of 200. */
export async function commitTime(): Promise<number> {
  const file = openSync(join(await temporaryFolder("bench-disk"), "commits"), "w");
  const taken: number[] = [];
  while (taken.length < COMMITS) {
    const began = performance.now();
    writeSync(file, PAGE);
    await synced(file);
    taken.push(performance.now() - began);
  }
  closeSync(file);
  return median(taken);
}
