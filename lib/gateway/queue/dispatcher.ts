import { say } from "../../texts/say";
import type { LocalFault } from "../contract/local-outcomes";
import { GatewayClient } from "../client/gateway-client";
import { FifoQueue } from "./fifo-queue";
import { Hold } from "./hold";
import {
  type Batch,
  type Departure,
  type QueueHandle,
  type QueueHandleState,
  newQueueHandle,
  type StoredLane,
  type StoredWaiter,
  Task,
  type Waiter,
} from "./queue-handle";
import { RateLimiter } from "./rate-limiter";
import { VerdictDelivery } from "./verdict-delivery";
import type { PreparedRequest } from "../codec/prepare-request";
import { RETRY_DEFAULTS, type RetryBounds, retryDelay } from "./retry-policy";
import { Schedule } from "./schedule";
import type { GatewaySettings } from "../contract/settings";
import { WorkerPool } from "./worker-pool";
import { REAL_TIMING, type Timing } from "../http/timing";
import { localVerdict, type Verdict } from "../codec/verdict";

export type { Batch, Departure, QueueHandle, Waiter } from "./queue-handle";

/** ms of the first throttle pause where the answer has no `Retry-After`. */
const THROTTLE_BASE = 1_000;
/** ms for an aborted transfer to remove what it wrote. */
const CLEARING = 1_000;
const NO_TRANSFER = {};
/** Encoded batches that wait for a free worker before further messages stay unread. */
const READ_AHEAD = 16;
/** Batches whose moment has come that are looked at in a turn of the event loop. */
const DUE_AT_ONCE = 64;

/**
 * The queue of one account. It limits requests in flight, requests per second and waiting batches, and repeats
 * requests that were certainly not sent.
 */
export class Dispatcher {
  readonly #client: GatewayClient;
  readonly #workers: WorkerPool<Task>;
  readonly #limiter: RateLimiter;
  readonly #leaveLimiter: () => void;
  readonly #bounds: RetryBounds;
  readonly #handles = new Set<QueueHandleState>();
  /** Messages that wait unread: reading and encoding a whole burst at once would block the event loop and take memory. */
  readonly #unread = new FifoQueue<{ readonly handle: QueueHandleState; readonly start: () => void }>();
  readonly #readAhead: number;
  readonly #hold = new Hold();
  readonly #delivery = new VerdictDelivery(() => this.#readDeferred());
  /** Batches that wait for a moment, and hold their place in the queue meanwhile. */
  readonly #schedule: Schedule<Task>;
  /** Workers whose requests were answered in this turn. */
  #answered: number[] = [];
  readonly #idleListeners = new Set<() => void>();
  #reading = false;
  #pending = 0;
  #underWay = 0;
  #closing: Promise<void> | null = null;

  /** @throws SetupError when the settings cannot work */
  constructor(
    private readonly settings: GatewaySettings,
    private readonly timing: Timing = REAL_TIMING,
  ) {
    this.#client = new GatewayClient(settings, timing);
    this.#workers = new WorkerPool(
      settings.connections,
      (task, worker) => this.#start(task, worker),
      () => this.#onIdle(),
    );
    this.#readAhead = Math.max(READ_AHEAD, settings.connections);
    this.#schedule = new Schedule(timing, () => this.#delivery.wake());
    const { limiter, leave } = RateLimiter.join(
      this.#client.service.origin,
      settings.requestsPerSecond,
      timing,
    );
    this.#limiter = limiter;
    this.#leaveLimiter = leave;
    this.#bounds = { ...RETRY_DEFAULTS, maxAttempts: settings.attempts };
  }

  /** Batches that a caller can usefully have in the queue at once. */
  get concurrency(): number {
    return this.settings.connections;
  }

  /** Batches that wait, unread messages and those that wait for a moment included, and batches whose request is in flight. */
  get load(): { readonly waiting: number; readonly underWay: number } {
    return { waiting: this.#unread.size + this.#pending - this.#underWay, underWay: this.#underWay };
  }

  /** Waiting requests above the connections after which no more are taken. */
  get queueLimit(): number {
    return this.settings.queueLimit;
  }

  /** Whether no message leaves. Those that have not left wait; what is in flight goes on. */
  get paused(): boolean {
    return this.#hold.isOn;
  }

  set paused(paused: boolean) {
    if (paused) {
      this.#hold.turnOn();
    } else if (this.#hold.isOn) {
      for (const task of this.#hold.turnOff()) {
        this.#workers.add(task, task.attempts);
      }
      this.#readDeferred();
      this.#onIdle();
    }
  }

  /** Masks the account's secrets in a text. */
  clean(text: string): string {
    return this.#client.redactor.clean(text);
  }

  /** Checks and encodes a request. @throws SetupError, FieldError */
  prepare({ operation, fields }: Batch): PreparedRequest {
    return this.#client.prepare(operation, fields);
  }

  openHandle(): QueueHandle {
    const state = newQueueHandle();
    this.#handles.add(state);
    return {
      submit: (batch) => this.#submit(batch, state),
      submitWithCallback: (batch, waiter) => this.#submitWithCallback(batch, state, waiter),
      prepare: (batch) => this.prepare(batch),
      isBacklogged: () => this.#isBacklogged(state),
      defer: (start) => this.#unread.add({ handle: state, start }),
      cancel: (which) => this.#settleAll(state, ({ waiter }) => which(waiter), "CANCELLED"),
      stop: () => this.#stopHandle(state),
      close: (grace) => this.#closeHandle(state, grace),
    };
  }

  /** Opens the way for requests of a store. @param onIdle called when `idle` may have become larger, or `waiting` smaller */
  openLane(onIdle: () => void): StoredLane {
    const state = newQueueHandle();
    this.#handles.add(state);
    this.#idleListeners.add(onIdle);
    const workers = this.#workers;
    const limiter = this.#limiter;
    const hold = this.#hold;
    return {
      get paused() {
        return hold.isOn;
      },
      get idle() {
        return workers.idle;
      },
      get waiting() {
        return workers.waiting;
      },
      get free() {
        return limiter.free;
      },
      get interval() {
        return limiter.interval;
      },
      get blockedFor() {
        return limiter.blockedFor;
      },
      onBackOff: (listener) => limiter.onBackOff(listener),
      origin: this.#client.service.origin,
      concurrency: this.concurrency,
      bounds: this.#bounds,
      turn: () => (this.#limiter.free ? null : this.#limiter.turn(state.stopNew)),
      prepare: (batch) => this.prepare(batch),
      start: (request, stored, attempts) => this.#startStored(request, state, stored, attempts),
      stop: () => this.#stopHandle(state),
      close: async (grace) => {
        this.#idleListeners.delete(onIdle);
        await this.#closeHandle(state, grace);
      },
    };
  }

  #startStored(
    request: PreparedRequest,
    handle: QueueHandleState,
    stored: StoredWaiter,
    attempts: number,
  ): void {
    this.#pending++;
    const task = new Task(request, NO_TRANSFER, handle, stored, this, stored);
    task.attempts = attempts;
    if (handle.stopNew.stopped || this.#closing !== null || this.#hold.holds(task)) {
      this.#putBack(task, stored, 0);
    } else {
      task.hasWaited = this.#workers.idle === 0;
      this.#workers.add(task, 0);
    }
  }

  #onIdle(): void {
    for (const listener of this.#idleListeners) {
      listener();
    }
  }

  /** Closes every handle and frees sockets and timers. */
  close(grace: number): Promise<void> {
    this.#closing ??= this.#closeAll(grace);
    return this.#closing;
  }

  async #closeAll(grace: number): Promise<void> {
    await Promise.all([...this.#handles].map((handle) => this.#closeHandle(handle, grace)));
    this.#leaveLimiter();
    await this.#client.destroy();
  }

  /** Ends requests that have not left: at once in the queue or a pause, within this turn while they wait for a token or connection. */
  #stopHandle(handle: QueueHandleState): void {
    handle.stopNew.stop();
    for (const { start } of this.#unread.takeAll((unread) => unread.handle === handle)) {
      start();
    }
    this.#settleAll(handle, () => true, "CLOSING");
  }

  /** May be called by the node and by the account. */
  async #closeHandle(handle: QueueHandleState, grace: number): Promise<void> {
    this.#stopHandle(handle);
    if (handle.tasks.size > 0) {
      await this.timing.sleep(grace, handle.empty);
      handle.abort.stop();
      await new Promise((resolve) => setImmediate(resolve));
      if (handle.tasks.size > 0) {
        // A partial file on disk is being removed.
        await this.timing.sleep(CLEARING, handle.empty);
      }
      // The abort signal has settled every request that had left. The outcome of any other one is unknown.
      for (const task of handle.tasks.values()) {
        this.#settle(task, localVerdict("STOPPED_WAITING", "", task.attempts));
      }
    }
    this.#handles.delete(handle);
  }

  #submit(batch: Batch, handle: QueueHandleState): Promise<Verdict> {
    const request = this.prepare(batch);
    return new Promise((resolve) => this.#queue(request, batch, handle, { onVerdict: resolve }));
  }

  #submitWithCallback(batch: Batch, handle: QueueHandleState, waiter: Waiter): void {
    this.#queue(this.prepare(batch), batch, handle, waiter);
  }

  #queue(request: PreparedRequest, batch: Batch, handle: QueueHandleState, waiter: Waiter): void {
    const closing = handle.stopNew.stopped || this.#closing !== null;
    const full = this.#full;
    this.#pending++;
    const task = new Task(request, batch.transfer ?? NO_TRANSFER, handle, waiter, this);
    if (closing) {
      this.#settle(task, localVerdict("CLOSING"));
    } else if (full) {
      this.#settle(
        task,
        localVerdict("QUEUE_FULL", say("service.queue-limit", { limit: this.settings.queueLimit })),
      );
    } else {
      this.#workers.add(task, 0);
    }
  }

  /** Settles tasks of a handle that are not under way. @returns how many */
  #settleAll(handle: QueueHandleState, which: (task: Task) => boolean, fault: LocalFault): number {
    const tasks = handle.tasks.values().filter((task) => !task.underWay && which(task));
    for (const task of tasks) {
      this.#settle(task, localVerdict(fault, "", task.attempts));
    }
    this.#schedule.drop(tasks.length, (task) => task.settled);
    this.#hold.dropSettled();
    return tasks.length;
  }

  get #idleConnections(): number {
    return Math.max(0, this.settings.connections - this.#underWay);
  }

  get #full(): boolean {
    return this.load.waiting >= this.settings.queueLimit + this.#idleConnections;
  }

  /** False for a full queue: `submit` then settles the batch at once. */
  #isBacklogged(handle: QueueHandleState): boolean {
    const waits = this.#unread.size > 0 || this.#readyCount >= this.#readAhead || this.#schedule.isDue;
    return waits && !handle.stopNew.stopped && this.#closing === null && !this.#full;
  }

  /** Encoded batches that wait for a worker, or until messages may leave. */
  get #readyCount(): number {
    return this.#workers.waiting + this.#hold.size;
  }

  /** Reads messages until enough batches are ready for the next free workers. Batches whose moment has come go first. */
  #readDeferred(): void {
    if (this.#reading) {
      return;
    }
    this.#reading = true;
    let due = 0;
    while (this.#readyCount < this.#readAhead) {
      const task = this.#schedule.take();
      if (task !== undefined) {
        if (!task.settled) {
          this.#workers.add(task, task.attempts);
        }
        if (++due === DUE_AT_ONCE) {
          this.#delivery.wake();
          break;
        }
        continue;
      }
      const unread = this.#unread.take();
      if (unread === undefined) {
        break;
      }
      unread.start();
    }
    this.#reading = false;
  }

  #settle(task: Task, verdict: Verdict): void {
    if (task.stored !== null && verdict.stopped === "unsent") {
      this.#putBack(task, task.stored, 0);
    } else if (!task.settled) {
      this.#delivery.add(task, verdict);
      this.#end(task);
    }
  }

  /** Gives a request of a store back to it. */
  #putBack(task: Task, stored: StoredWaiter, delay: number): void {
    if (!task.settled) {
      stored.putBack(delay, task.attempts);
      this.#end(task);
    }
  }

  #end(task: Task): void {
    task.settled = true;
    this.#pending--;
    task.handle.tasks.remove(task.node);
    if (task.handle.stopNew.stopped && task.handle.tasks.size === 0) {
      task.handle.empty.stop();
    }
  }

  /** Queues the task again after a pause, during which it takes no worker. */
  async #again(task: Task, delay: number): Promise<void> {
    await this.timing.sleep(delay, task.handle.stopNew);
    if (!task.settled) {
      // Repeated batches go before newer ones.
      this.#workers.add(task, task.attempts);
    }
  }

  /** One try of a task by a worker. @returns false where there is none to make */
  #start(task: Task, worker: number): boolean {
    if (task.settled) {
      this.#readDeferred();
      return false;
    }
    if (this.#hold.holds(task) || (task.hasWaited && this.#limiter.blockedFor > 0)) {
      this.#keepBack(task);
      return false;
    }
    if (!this.#leaves(task)) {
      return false;
    }
    // A store takes the turn before it gives a request away.
    if (task.stored !== null || this.#limiter.free) {
      this.#send(task, worker);
    } else {
      void this.#sendInTurn(task, worker);
    }
    return true;
  }

  async #sendInTurn(task: Task, worker: number): Promise<void> {
    await this.#limiter.turn(task.handle.stopNew);
    if (task.settled || !this.#leaves(task)) {
      this.#readDeferred();
      this.#workers.free(worker);
    } else {
      this.#send(task, worker);
    }
  }

  /** Asks whether a task leaves now. One that does not is settled, or waits. */
  #leaves(task: Task): boolean {
    if (task.waiter.leaves === undefined) {
      return true;
    }
    const departure = task.waiter.leaves(this.timing.now());
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
  #postpone(task: Task, departure: Departure): void {
    if (departure.kind === "ends") {
      this.#settle(task, { ...departure.verdict, attempts: task.attempts });
    } else if (task.handle.stopNew.stopped) {
      this.#settle(task, localVerdict("CLOSING", "", task.attempts));
    } else if (departure.kind === "waits") {
      this.#schedule.add(task, departure.until);
      // Further messages are read in later turns: many of them may wait, too.
      this.#delivery.wake();
    } else {
      task.request = departure.request;
      this.#workers.add(task, task.attempts);
    }
  }

  #send(task: Task, worker: number): void {
    task.worker = worker;
    task.underWay = true;
    this.#underWay++;
    task.leaving = true;
    this.#client.begin(task.request, task.handle, task.transfer, task, worker);
    task.leaving = false;
    // The request has left, so the next message can be read.
    this.#readDeferred();
  }

  /** Lets a task that has not left wait until messages may leave. */
  #keepBack(task: Task): void {
    if (task.stored === null) {
      this.#hold.add(task);
    } else {
      this.#putBack(task, task.stored, 0);
    }
  }

  /** Whether the first byte of a task may leave. */
  mayLeave(task: Task): boolean {
    if (this.#hold.holds(task)) {
      return false;
    }
    if (!task.leaving) {
      task.departure = task.waiter.leaves?.(this.timing.now()) ?? null;
    }
    return task.departure === null;
  }

  /**
   * Settles or requeues the task in one call, so that a closing handle never sees an answered task as unsent.
   */
  onAttempt(task: Task, last: Verdict): void {
    task.underWay = false;
    this.#underWay--;
    task.attempts += last.attempts;
    const verdict = last.attempts === task.attempts ? last : { ...last, attempts: task.attempts };
    this.#slowDown(verdict);
    const delay = retryDelay(verdict, this.#bounds, this.timing.random());
    const { departure } = task;
    if (departure !== null) {
      task.departure = null;
      this.#postpone(task, departure);
    } else if (verdict.stopped === "unsent" && this.#hold.holds(task) && !task.handle.stopNew.stopped) {
      this.#keepBack(task);
    } else if (task.stored !== null && delay !== null) {
      this.#putBack(task, task.stored, delay);
    } else if (delay === null || task.handle.stopNew.stopped) {
      this.#settle(task, verdict);
    } else {
      void this.#again(task, delay);
    }
    if (last.source === "local") {
      // The HTTP client is closing a connection and takes no request for it until the next microtask.
      const { worker } = task;
      queueMicrotask(() => {
        this.#workers.free(worker);
        this.#readDeferred();
        this.#onIdle();
      });
      return;
    }
    // The next request follows at the end of this turn: a service may end a connection together with its answer, and
    // the end is read only after this call. What was written before that would be lost, and `unknown`.
    if (this.#answered.push(task.worker) === 1) {
      setImmediate(this.#freeAnswered);
    }
  }

  readonly #freeAnswered = (): void => {
    const answered = this.#answered;
    this.#answered = [];
    for (const worker of answered) {
      this.#workers.free(worker);
    }
    this.#readDeferred();
    this.#onIdle();
  };

  /** Pauses every request to the origin where the outcome table says so: the service counts by IP address. */
  #slowDown({ throttle, retryAfter, attempts }: Verdict): void {
    if (throttle === "origin") {
      const wait = retryAfter ?? THROTTLE_BASE * 2 ** (attempts - 1);
      this.#limiter.backOff(Math.min(wait, this.#bounds.longestWait));
    }
  }
}
