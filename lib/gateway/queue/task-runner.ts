import { GatewayClient } from "../client/gateway-client";
import type { PreparedRequest } from "../codec/prepare-request";
import { localVerdict, type Verdict } from "../codec/verdict";
import type { GatewaySettings } from "../contract/settings";
import type { Transfer } from "../http/body/transfer";
import type { Timing } from "../http/timing";
import {
  type LeaveDecision,
  type QueueHandleState,
  type StoredWaiter,
  Task,
  type Waiter,
} from "./queue-handle";
import { RateLimiter } from "./rate-limiter";
import { LONGEST_RETRY_AFTER, retryDelay } from "./retry-policy";
import { WaitingTasks } from "./waiting-tasks";
import { WorkerPool } from "./worker-pool";

/** ms of the first throttle pause where the answer has no `Retry-After`. */
const THROTTLE_BASE = 1_000;
/** Encoded batches that wait for a free worker before further messages stay unread. */
const READ_AHEAD = 16;

/** Runs tasks from their first try to their verdict: each try by a worker, at the rate of the service. */
export class TaskRunner {
  readonly client: GatewayClient;
  readonly workers: WorkerPool<Task>;
  readonly waiting: WaitingTasks;
  readonly limiter: RateLimiter;
  readonly #leaveLimiter: () => void;
  /** Workers whose requests were answered in this turn. */
  #answered: number[] = [];
  /** Tasks without a verdict, and those of them whose request is in flight. */
  #pending = 0;
  #underWay = 0;

  /** @param onIdle called when workers may have become idle, or fewer tasks wait for one @throws SetupError when the settings cannot work */
  constructor(
    private readonly settings: GatewaySettings,
    private readonly timing: Timing,
    private readonly onIdle: () => void,
  ) {
    const { connections, requestsPerSecond } = settings;
    this.client = new GatewayClient(settings, timing);
    this.workers = new WorkerPool(connections, (task, worker) => this.#start(task, worker), onIdle);
    const wake = (): void => void setImmediate(() => this.waiting.read());
    this.waiting = new WaitingTasks(this.workers, Math.max(READ_AHEAD, connections), timing, wake);
    const { limiter, leave } = RateLimiter.join(this.client.service.origin, requestsPerSecond, timing);
    this.limiter = limiter;
    this.#leaveLimiter = leave;
  }

  get load(): { readonly waiting: number; readonly underWay: number } {
    return { waiting: this.waiting.unread + this.#pending - this.#underWay, underWay: this.#underWay };
  }

  /** A new task, which is neither queued nor settled yet. */
  open(
    request: PreparedRequest,
    transfer: Transfer,
    handle: QueueHandleState,
    waiter: Waiter,
    stored: StoredWaiter | null = null,
  ): Task {
    this.#pending++;
    return new Task(request, transfer, handle, waiter, this, stored);
  }

  settle(task: Task, verdict: Verdict): void {
    if (task.stored !== null && verdict.stopped === "unsent") {
      this.putBack(task, task.stored, 0);
    } else if (!task.settled) {
      // Outside of the HTTP client's callback, after the next requests were handed over.
      setImmediate(() => {
        task.waiter.onVerdict(verdict);
        this.waiting.read();
      });
      this.#end(task);
    }
  }

  /** Gives a request of a store back to it. */
  putBack(task: Task, stored: StoredWaiter, delay: number): void {
    if (!task.settled) {
      stored.putBack(delay, task.attempts);
      this.#end(task);
    }
  }

  #end(task: Task): void {
    task.settled = true;
    this.#pending--;
    task.handle.tasks.delete(task);
    if (task.handle.stopNew.stopped && task.handle.tasks.size === 0) {
      task.handle.empty.stop();
    }
  }

  /** One try of a task by a worker. @returns false where there is none to make */
  #start(task: Task, worker: number): boolean {
    if (task.settled) {
      this.waiting.read();
      return false;
    }
    if (this.waiting.isPaused(task) || (task.hasWaited && this.limiter.blockedFor > 0)) {
      this.#keepBack(task);
      return false;
    }
    if (!this.#leaves(task)) {
      return false;
    }
    // A store takes the turn before it gives a request away.
    if (task.stored !== null || this.limiter.free) {
      this.#send(task, worker);
    } else {
      void this.#sendInTurn(task, worker);
    }
    return true;
  }

  async #sendInTurn(task: Task, worker: number): Promise<void> {
    await this.limiter.turn(task.handle.stopNew);
    if (task.settled || !this.#leaves(task)) {
      this.waiting.read();
      this.workers.free(worker);
    } else {
      this.#send(task, worker);
    }
  }

  /** Asks whether a task leaves now. One that does not is settled, or waits. */
  #leaves(task: Task): boolean {
    const departure = task.waiter.leaves?.(this.timing.now()) ?? null;
    if (departure === null) {
      return true;
    }
    if (departure.kind === "changes") {
      task.request = departure.request;
      return true;
    }
    this.#postpone(task, departure);
    return false;
  }

  /** Nothing of the task has left. */
  #postpone(task: Task, departure: LeaveDecision): void {
    if (departure.kind === "ends") {
      this.settle(task, { ...departure.verdict, attempts: task.attempts });
    } else if (task.handle.stopNew.stopped) {
      this.settle(task, localVerdict("CLOSING", "", task.attempts));
    } else if (departure.kind === "waits") {
      this.waiting.postpone(task, departure.until);
    } else {
      task.request = departure.request;
      this.workers.add(task, task.attempts);
    }
  }

  #send(task: Task, worker: number): void {
    task.worker = worker;
    task.underWay = true;
    this.#underWay++;
    task.leaving = true;
    this.client.begin(task.request, task.handle, task.transfer, task, worker);
    task.leaving = false;
    // The request has left, so the next message can be read.
    this.waiting.read();
  }

  /** Lets a task that has not left wait until messages may leave. */
  #keepBack(task: Task): void {
    if (task.stored === null) {
      this.waiting.pause(task);
    } else {
      this.putBack(task, task.stored, 0);
    }
  }

  /** Whether the first byte of a task may leave. Asks its waiter again, unless that was in the same turn. */
  mayLeave(task: Task): boolean {
    if (this.waiting.isPaused(task)) {
      return false;
    }
    if (!task.leaving) {
      task.departure = task.waiter.leaves?.(this.timing.now()) ?? null;
    }
    return task.departure === null;
  }

  /** Settles or requeues the task in one call, so that a closing handle never sees an answered task as unsent. */
  onAttempt(task: Task, last: Verdict): void {
    task.underWay = false;
    this.#underWay--;
    task.attempts += last.attempts;
    const verdict = last.attempts === task.attempts ? last : { ...last, attempts: task.attempts };
    this.#slowDown(verdict);
    const delay = retryDelay(verdict, this.settings.attempts, this.timing.random());
    const { departure } = task;
    if (departure !== null) {
      task.departure = null;
      this.#postpone(task, departure);
    } else if (verdict.stopped === "unsent" && this.waiting.isPaused(task) && !task.handle.stopNew.stopped) {
      this.#keepBack(task);
    } else if (task.stored !== null && delay !== null) {
      this.putBack(task, task.stored, delay);
    } else if (delay === null || task.handle.stopNew.stopped) {
      this.settle(task, verdict);
    } else {
      void this.#again(task, delay);
    }
    if (last.source === "local") {
      // The HTTP client is closing a connection and takes no request for it until the next microtask.
      const { worker } = task;
      queueMicrotask(() => this.#free([worker]));
      return;
    }
    // The next request follows at the end of this turn: a service may end a connection together with its answer, and
    // the end is read only after this call. What was written before that would be lost, and `unknown`.
    if (this.#answered.push(task.worker) === 1) {
      setImmediate(this.#freeAnswered);
    }
  }

  /** Pauses every request to the origin where the outcome table says so: the service counts by IP address. */
  #slowDown({ throttle, retryAfter, attempts }: Verdict): void {
    if (throttle === "origin") {
      const wait = retryAfter ?? THROTTLE_BASE * 2 ** (attempts - 1);
      this.limiter.backOff(Math.min(wait, LONGEST_RETRY_AFTER));
    }
  }

  /** Queues the task again after a pause, during which it takes no worker. */
  async #again(task: Task, delay: number): Promise<void> {
    await this.timing.sleep(delay, task.handle.stopNew);
    if (!task.settled) {
      // Repeated batches go before newer ones.
      this.workers.add(task, task.attempts);
    }
  }

  readonly #freeAnswered = (): void => {
    const answered = this.#answered;
    this.#answered = [];
    this.#free(answered);
  };

  #free(workers: readonly number[]): void {
    for (const worker of workers) {
      this.workers.free(worker);
    }
    this.waiting.read();
    this.onIdle();
  }

  /** Frees sockets and timers. */
  async close(): Promise<void> {
    this.#leaveLimiter();
    await this.client.destroy();
  }
}
