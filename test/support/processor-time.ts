import { readdirSync, readFileSync } from "node:fs";

/** ms of one tick of the clock by which Linux counts (`getconf CLK_TCK` is 100 wherever Node.js runs). */
const TICK_MS = 10;
/** Positions in `/proc/<pid>/stat` after the name, which ends with the last bracket (proc(5), less 3). */
const PARENT = 1;
/** In user mode and in the kernel. */
const OWN = [11, 12] as const;
const ENDED = [13, 14] as const;

/** Processor time in ms that a process has used, and those that it started and that have ended. */
interface ProcessTimes {
  readonly parent: number;
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
  return { parent: Number(fields[PARENT]), own: ms(...OWN), ended: ms(...ENDED) };
}

/**
 * Processor time in ms that this process, those that it started, and theirs have used until now; only its own where there is no
 * `/proc`.
 */
export function processTreeTime(): number {
  let ids: readonly number[];
  try {
    ids = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const all = new Map(ids.map((pid) => [pid, processTimes(pid)]));
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (pid > 1 && isOurs(all.get(pid)?.parent ?? 0));
  let total = 0;
  for (const [pid, times] of all) if (times !== null && isOurs(pid)) total += times.own + times.ended;
  return total;
}
