import { readdirSync, readFileSync } from "node:fs";
import { processTimes } from "../../test/support/processor-time";

/** µs of processor time of this process so far, of all its threads. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** µs for which a thread has run. */
const runTime = (path: string): number => Number(readFileSync(path, "latin1").split(" ")[0]) / 1000;

/** µs of processor time of this process's main thread so far; 0 where the system does not say. */
export function ownThreadTime(): number {
  try {
    return runTime(`/proc/self/task/${process.pid}/schedstat`);
  } catch {
    return 0;
  }
}

/**
 * µs of processor time of other processes so far, with those that they have started and that have ended.
 * @param processes ids; one that ends meanwhile counts as one of those
 */
export function timeOf(processes: readonly number[]): number {
  let total = 0;
  for (const id of processes) {
    try {
      for (const thread of readdirSync(`/proc/${id}/task`)) {
        total += runTime(`/proc/${id}/task/${thread}/schedstat`);
      }
      total += (processTimes(id)?.ended ?? 0) * 1000;
    } catch {
      // It has ended: the process that started it has its time.
    }
  }
  return total;
}
