import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { compiled } from "./compiled";
import type { Question, Reply } from "./serve";

/** A part of the bench that stays in a process of its own and does what it is asked, one thing at a time. */
export class Worker {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  #asked = 0;

  /**
   * @param script of `processes/`
   * @param env set besides this process's own variables
   */
  constructor(script: string, env: Readonly<Record<string, string>> = {}) {
    const { BENCH_NODE_OPTIONS = "" } = process.env;
    this.#child = fork(compiled(script), {
      execArgv: BENCH_NODE_OPTIONS.split(" ").filter((option) => option !== ""),
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, ...env, BENCH_NODES: join(__dirname, "nodes") },
    });
    this.#child.on("message", (message) => {
      const { id, answer, fault } = message as Reply;
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (fault === undefined) {
        waiting?.resolve(answer as never);
      } else {
        waiting?.reject(new Error(`${script}: ${fault}`));
      }
    });
    this.#child.once("exit", (code) => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`${script} ended with ${code}`));
      }
    });
  }

  /** @throws Error with what went wrong there */
  ask<Answer>(what: string, task: unknown = null): Promise<Answer> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, what, task } satisfies Question);
    });
  }

  /** Ends the process like a power cut. */
  kill(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
    this.#child.kill("SIGKILL");
    return ended;
  }

  /** Ends the process in its own way, so that a profiler in it can write what it found. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        resolve();
        return;
      }
      const force = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
      this.#child.once("exit", () => {
        clearTimeout(force);
        resolve();
      });
      this.#child.disconnect();
    });
  }
}
