import { GatewayClient } from "../client/gateway-client";
import type { PreparedRequest } from "../codec/prepare-request";
import { localVerdict, type Verdict } from "../codec/verdict";
import type { GatewaySettings } from "../contract/settings";
import type { Transfer } from "../http/body/transfer";
import type { Timing } from "../http/timing";
import { type QueueHandleState, type StoredWaiter, Task, type Waiter } from "./queue-handle";
import { RateLimiter } from "./rate-limiter";
import { LONGEST_RETRY_AFTER, retryDelay } from "./retry-policy";
import { WorkerPool } from "./worker-pool";

/** ms of the first throttle pause where the answer has no `Retry-After`. */
const THROTTLE_BASE = 1_000;

/** Runs tasks from their first try to their verdict: each try by a worker, at the rate of the service. */
export class TaskRunner {
  readonly client: GatewayClient;
  readonly workers: WorkerPool<Task>;
  /** Whether no message is sent. Requests without recipients, such as file transfers, pass. */
  paused = false;
  readonly limiter: RateLimiter;
  readonly #leaveLimiter: () => void;
  /** Divides the rate by a number of processes. */
  readonly shareRate: (processes: number) => void;
  /** Workers whose requests were answered in this turn. */
  #answered: number[] = [];

  /** @param onIdle called when workers may have become idle, or fewer tasks wait for one @throws SetupError when the settings cannot work */
  constructor(
    private readonly settings: GatewaySettings,
    private readonly timing: Timing,
    private readonly onIdle: () => void,
  ) {
    const { connections, requestsPerSecond } = settings;
    this.client = new GatewayClient(settings, timing);
    this.workers = new WorkerPool(connections, (task, worker) => this.#start(task, worker), onIdle);
    const { limiter, share, leave } = RateLimiter.join(this.client.service.origin, requestsPerSecond, timing);
    this.limiter = limiter;
    this.shareRate = share;
    this.#leaveLimiter = leave;
  }

  /** A new task, which is neither queued nor settled yet. */
  open(
    request: PreparedRequest,
    transfer: Transfer,
    handle: QueueHandleState,
    waiter: Waiter,
    stored: StoredWaiter | null = null,
  ): Task {
    return new Task(request, transfer, handle, waiter, this, stored);
  }

  settle(task: Task, verdict: Verdict): void {
    if (task.stored !== null && verdict.stopped === "unsent") {
      this.putBack(task, task.stored, 0);
    } else if (!task.settled) {
      // Outside of the HTTP client's callback, after the next requests were handed over.
      setImmediate(() => task.waiter.onVerdict(verdict));
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
    task.handle.tasks.delete(task);
    if (task.handle.stopNew.stopped && task.handle.tasks.size === 0) {
      task.handle.empty.stop();
    }
  }

  /** One try of a task by a worker. @returns false where there is none to make */
  #start(task: Task, worker: number): boolean {
    if (task.settled) {
      return false;
    }
    if (this.isPaused(task)) {
      this.#keepBack(task);
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
    if (task.settled) {
      this.workers.free(worker);
    } else {
      this.#send(task, worker);
    }
  }

  #send(task: Task, worker: number): void {
    task.worker = worker;
    task.underWay = true;
    this.client.start(task.request, task.handle, task.transfer, task, worker);
  }

  /** Whether a task must wait because the account is paused. */
  isPaused({ request }: Task): boolean {
    return this.paused && request.operation.recipients !== null;
  }

  /** A request of a store waits there; others end. */
  #keepBack(task: Task): void {
    if (task.stored === null) {
      this.settle(task, localVerdict("CANCELLED", "", task.attempts));
    } else {
      this.putBack(task, task.stored, 0);
    }
  }

  mayLeave(task: Task): boolean {
    return !this.isPaused(task);
  }

  /** Settles or requeues the task in one call, so that a closing handle never sees an answered task as unsent. */
  onAttempt(task: Task, last: Verdict): void {
    task.underWay = false;
    task.attempts += last.attempts;
    const verdict = last.attempts === task.attempts ? last : { ...last, attempts: task.attempts };
    this.#slowDown(verdict);
    const delay = retryDelay(verdict, this.settings.attempts, this.timing.random());
    if (verdict.stopped === "unsent" && this.isPaused(task) && !task.handle.stopNew.stopped) {
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
    this.onIdle();
  }

  /** Frees sockets and timers. */
  async close(): Promise<void> {
    this.#leaveLimiter();
    await this.client.destroy();
  }
}
