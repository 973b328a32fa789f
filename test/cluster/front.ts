import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { join } from "node:path";
import type { FrontReport } from "./front-process";

/** Nice value of the process, where this user may choose it: it must not wait for Node-REDs that start. */
const PRIORITY = -15;

/** What the Node-REDs call instead of the service itself: it notes when each request comes. */
export class Front {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** @param service address of the service */
  static async start(service: string): Promise<Front> {
    const child = fork(join(__dirname, "front-process.ts"), {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.send(Number(new URL(service).port));
    const [port] = (await Promise.race([
      once(child, "message"),
      once(child, "exit").then(() => Promise.reject(new Error("the front of the service did not start"))),
    ])) as [number];
    try {
      if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
    } catch {
      // Then it is one process among others, and says when it was held up.
    }
    return new Front(child, `http://127.0.0.1:${port}`);
  }

  /** Everything that was noted so far. */
  async report(): Promise<FrontReport> {
    const answer = once(this.child, "message");
    this.child.send("report");
    const [report] = (await answer) as [FrontReport];
    return report;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }
}
