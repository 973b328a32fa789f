import type { ChildProcess } from "node:child_process";

/** ms in which the processes that a run has started must end after it. */
const GRACE_MS = 10_000;
/** ms from the request to end until the force. */
const FORCE_MS = 10_000;
const PACE_MS = 50;

/** Those that are waited for. Ended by hand, they go along with this process. */
const waitedFor = new Set<ChildProcess>();
process.once("exit", () => {
  for (const leader of waitedFor) signal(leader, "SIGTERM");
});

/**
 * Waits until a process and all others of the group that it leads have ended, and ends them when it takes too long.
 * @param limit ms
 * @returns null when it ended well, or else what was wrong, as in "ended with status 1"
 */
export async function endOf(leader: ChildProcess, limit: number): Promise<string | null> {
  waitedFor.add(leader);
  try {
    let late = false;
    const exited = new Promise<string | null>((resolve) => {
      leader.once("error", ({ message }) => resolve(`could not start: ${message}`));
      leader.once("exit", (code, by) => resolve(code === 0 ? null : `ended with ${by ?? `status ${code}`}`));
    });
    const closed = new Promise<void>((resolve) => {
      leader.once("error", () => resolve());
      leader.once("close", () => resolve());
    });
    const timer = setTimeout(() => {
      late = true;
      void end(leader);
    }, limit);
    const fault = await exited;
    clearTimeout(timer);
    const left = !(await goneWithin(leader, GRACE_MS));
    if (left) await end(leader);
    await Promise.race([closed, pause(GRACE_MS)]);
    if (late) return `did not end within ${limit / 1000} s and was stopped`;
    return fault ?? (left ? "left processes behind, which were stopped" : null);
  } finally {
    waitedFor.delete(leader);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

async function end(leader: ChildProcess): Promise<void> {
  signal(leader, "SIGTERM");
  if (!(await goneWithin(leader, FORCE_MS))) signal(leader, "SIGKILL");
}

async function goneWithin(leader: ChildProcess, ms: number): Promise<boolean> {
  for (const deadline = performance.now() + ms; performance.now() < deadline; ) {
    if (!signal(leader, 0)) return true;
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
  return false;
}

/** Whether there was anybody in the group to send it to. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, name);
  } catch {
    return false;
  }
}
