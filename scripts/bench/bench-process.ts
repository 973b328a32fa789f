import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

/** A part of the bench in a process of its own, so that only its own memory is measured. */
export class BenchProcess {
  private constructor(private readonly child: ChildProcess) {}

  /**
   * Starts a script of this folder and hands it what it needs.
   * @returns the process, and the first message that it sends
   */
  static async start<Answer>(
    script: string,
    task: unknown,
  ): Promise<{ process: BenchProcess; answer: Answer }> {
    const child = fork(join(__dirname, "processes", script), {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.send(task as object);
    const answer = await new Promise<Answer>((resolve, reject) => {
      child.once("message", (message) => resolve(message as Answer));
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`${script} ended with ${code}`)));
    });
    return { process: new BenchProcess(child), answer };
  }

  /** Ends the process. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      if (this.child.exitCode !== null) {
        resolve();
        return;
      }
      this.child.once("exit", () => resolve());
      this.child.kill();
    });
  }
}

/** In such a process: waits for the task, does it, and sends what came of it. */
export function answerTask<Task, Answer>(work: (task: Task) => Promise<Answer>): void {
  process.once("message", (task) => {
    work(task as Task).then(
      (answer) => process.send?.(answer as object),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
