import { readFileSync } from "node:fs";

/** ms of one tick of the clock by which Linux counts (`getconf CLK_TCK` is 100 wherever Node.js runs). */
const TICK_MS = 10;
/** Positions in `/proc/<pid>/stat` after the name: user mode and kernel (proc(5), less 3). */
const OWN = [11, 12] as const;
const ENDED = [13, 14] as const;

/** Processor time in ms that a process has used, and those that it started and that have ended. */
interface ProcessTimes {
  readonly own: number;
  readonly ended: number;
}

/** What Linux says of a process; null where it has ended, or there is no `/proc`. */
export function processTimes(pid: number): ProcessTimes | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ms = (...positions: readonly number[]): number =>
    positions.reduce((sum, at) => sum + Number(fields[at]), 0) * TICK_MS;
  return { own: ms(...OWN), ended: ms(...ENDED) };
}
