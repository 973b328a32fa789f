import { readdirSync, readFileSync } from "node:fs";

/** ms of one tick of the clock by which Linux counts (`getconf CLK_TCK` is 100 wherever Node.js runs). */
const TICK_MS = 10;
/** Positions in `/proc/<pid>/stat` after the name, which ends with the last bracket (proc(5), less 3). */
const PARENT = 1;
/** Of the process in user mode and in the kernel, and the same of those that it started and that have ended. */
const TIMES = [11, 12, 13, 14] as const;

interface Entry {
  readonly parent: number;
  readonly ticks: number;
}

/**
 * Processor time in ms that this process, those that it started, and theirs have used until now; only its own where there is no
 * `/proc`.
 */
export function processorTime(): number {
  const entries = new Map<number, Entry>();
  try {
    for (const name of readdirSync("/proc")) if (/^\d+$/.test(name)) add(entries, Number(name));
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (pid > 1 && isOurs(entries.get(pid)?.parent ?? 0));
  let ticks = 0;
  for (const [pid, entry] of entries) if (isOurs(pid)) ticks += entry.ticks;
  return ticks * TICK_MS;
}

/** Leaves out a process that ended meanwhile. */
function add(entries: Map<number, Entry>, pid: number): void {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = TIMES.reduce((sum, at) => sum + Number(fields[at]), 0);
    entries.set(pid, { parent: Number(fields[PARENT]), ticks });
  } catch {
    // It is gone.
  }
}
