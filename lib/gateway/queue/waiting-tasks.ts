import type { Timing } from "../http/timing";
import type { QueueHandleState, Task } from "./queue-handle";
import { Schedule } from "./schedule";
import type { WorkerPool } from "./worker-pool";

/** Tasks whose moment has come that are looked at in a turn of the event loop. */
const DUE_AT_ONCE = 64;

/** What waits before the workers, and holds its place: messages that are unread, tasks that wait for a moment, tasks that are paused. */
export class WaitingTasks {
  /** Whether no message leaves. Requests without recipients, such as file transfers, pass. */
  paused = false;
  #paused: Task[] = [];
  readonly #scheduled: Schedule<Task>;
  /** Reading and encoding a whole burst at once would block the event loop and take memory. */
  #unread: { readonly handle: QueueHandleState; readonly start: () => void }[] = [];
  #reading = false;

  /**
   * @param readAhead encoded tasks that wait for a free worker before further messages stay unread
   * @param wake has `read` called in a later turn of the event loop
   */
  constructor(
    private readonly workers: WorkerPool<Task>,
    private readonly readAhead: number,
    timing: Timing,
    private readonly wake: () => void,
  ) {
    this.#scheduled = new Schedule(timing, wake);
  }

  get unread(): number {
    return this.#unread.length;
  }

  /** What leaves first of all that waits for nothing but its turn: an object for each message or task. Null for none. */
  get first(): object | null {
    return this.workers.first ?? this.#paused[0] ?? this.#unread[0] ?? null;
  }

  /** Encoded tasks that wait for a worker, or until messages may leave. */
  get #ready(): number {
    return this.workers.waiting + this.#paused.length;
  }

  /** Whether a new message would wait long. */
  get isBacklogged(): boolean {
    return this.#unread.length > 0 || this.#ready >= this.readAhead || this.#scheduled.isDue;
  }

  /** Whether a task may not leave now because the account is paused. */
  isPaused({ request }: Task): boolean {
    return this.paused && request.operation.recipients !== null;
  }

  /** Lets a task wait until messages may leave. */
  pause(task: Task): void {
    this.#paused.push(task);
  }

  /** Hands the tasks that waited to the workers, in their order. */
  resume(): void {
    for (const task of this.#paused.splice(0)) {
      this.workers.add(task, task.attempts);
    }
    this.read();
  }

  /** @param until epoch ms */
  postpone(task: Task, until: number): void {
    this.#scheduled.add(task, until);
    // Further messages are read in later turns: many of them may wait, too.
    this.wake();
  }

  /** Leaves a message unread. `start` reads it; it must not throw. */
  defer(handle: QueueHandleState, start: () => void): void {
    this.#unread.push({ handle, start });
  }

  /** Reads all messages of a handle. */
  readAll(handle: QueueHandleState): void {
    const own = this.#unread.filter((unread) => unread.handle === handle);
    this.#unread = this.#unread.filter((unread) => unread.handle !== handle);
    for (const { start } of own) {
      start();
    }
  }

  dropSettled(): void {
    this.#scheduled.drop(({ settled }) => settled);
    this.#paused = this.#paused.filter(({ settled }) => !settled);
  }

  /** Reads messages until enough tasks are ready for the next free workers. Tasks whose moment has come go first. */
  read(): void {
    if (this.#reading) {
      return;
    }
    this.#reading = true;
    for (let due = 0; due < DUE_AT_ONCE && this.#ready < this.readAhead; ) {
      const task = this.#scheduled.take();
      if (task === undefined) {
        const unread = this.#unread.shift();
        if (unread === undefined) {
          break;
        }
        unread.start();
      } else {
        if (!task.settled) {
          this.workers.add(task, task.attempts);
        }
        if (++due === DUE_AT_ONCE) {
          this.wake();
        }
      }
    }
    this.#reading = false;
  }
}
