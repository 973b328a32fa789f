import type { LocalFault } from "../contract/local-outcomes";
import { GatewayClient } from "../client/gateway-client";
import { FifoQueue } from "./fifo-queue";
import {
  type Batch,
  type QueueHandle,
  type QueueHandleState,
  newQueueHandle,
  Task,
  type Waiter,
} from "./queue-handle";
import { RateLimiter } from "./rate-limiter";
import { VerdictDelivery } from "./verdict-delivery";
import type { PreparedRequest } from "../codec/prepare-request";
import { RETRY_DEFAULTS, type RetryBounds, retryDelay } from "./retry-policy";
import type { GatewaySettings } from "../contract/settings";
import { WorkerPool } from "./worker-pool";
import { REAL_TIMING, type Timing } from "../http/timing";
import { localVerdict, type Verdict } from "../codec/verdict";

export type { Batch, QueueHandle, Waiter } from "./queue-handle";

/** Back-off after 4023 where the service does not say how long; ms. */
const THROTTLE_BASE = 1_000;
/** ms that a broken off transfer has to take back what it wrote. */
const CLEARING = 1_000;
const NO_TRANSFER = {};
/** Batches that wait ready for the next free slot before messages are left unread. */
const READ_AHEAD = 16;

/**
 * Sends the batches of one account: so many at a time, so many a second, so many waiting; tries again what was
 * surely not sent. The seam where a durable delivery or a distributed queue would be put.
 */
export class Dispatcher {
  readonly #client: GatewayClient;
  readonly #workers: WorkerPool<Task>;
  readonly #limiter: RateLimiter;
  readonly #leaveLimiter: () => void;
  readonly #bounds: RetryBounds;
  readonly #handles = new Set<QueueHandleState>();
  /** Messages that wait as they came: read and encoded, a burst would hold up everything else and take much memory. */
  readonly #unread = new FifoQueue<{ readonly handle: QueueHandleState; readonly start: () => void }>();
  readonly #readAhead: number;
  readonly #delivery = new VerdictDelivery(() => this.#readOn());
  /** Within a call of the HTTP client, where messages, which are the flow's, may not be read. */
  #inCall = false;
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
    this.#workers = new WorkerPool(settings.connections, (task, slot) => this.#start(task, slot));
    this.#readAhead = Math.max(READ_AHEAD, settings.connections);
    const { limiter, leave } = RateLimiter.join(
      this.#client.service.origin,
      settings.requestsPerSecond,
      timing,
    );
    this.#limiter = limiter;
    this.#leaveLimiter = leave;
    this.#bounds = { ...RETRY_DEFAULTS, maxAttempts: settings.attempts };
  }

  /** Batches a caller may usefully have in here at once. */
  get concurrency(): number {
    return this.settings.connections;
  }

  /** Batches waiting, messages not read yet among them, and batches whose request is under way. */
  get load(): { readonly waiting: number; readonly underWay: number } {
    return { waiting: this.#unread.size + this.#pending - this.#underWay, underWay: this.#underWay };
  }

  /** Masks the account's secrets in a text. */
  clean(text: string): string {
    return this.#client.redactor.clean(text);
  }

  openHandle(): QueueHandle {
    const state = newQueueHandle();
    this.#handles.add(state);
    return {
      submit: (batch) => this.#submit(batch, state),
      hand: (batch, waiter) => this.#hand(batch, state, waiter),
      crowded: () => this.#crowded(state),
      later: (start) => this.#unread.add({ handle: state, start }),
      stop: () => this.#stopLease(state),
      close: (grace) => this.#closeLease(state, grace),
    };
  }

  /** Closes every handle and frees sockets and timers. */
  close(grace: number): Promise<void> {
    this.#closing ??= this.#closeAll(grace);
    return this.#closing;
  }

  async #closeAll(grace: number): Promise<void> {
    await Promise.all([...this.#handles].map((handle) => this.#closeLease(handle, grace)));
    this.#leaveLimiter();
    await this.#client.destroy();
  }

  /** What has not left ends: at once in the queue or a pause, within this turn while waiting for a token or connection. */
  #stopLease(handle: QueueHandleState): void {
    handle.stopNew.stop();
    for (const { start } of this.#unread.takeAll((unread) => unread.handle === handle)) {
      start();
    }
    this.#settleAll(handle, (task) => !task.underWay, "CLOSING");
  }

  /** Its node and the account may both close it. */
  async #closeLease(handle: QueueHandleState, grace: number): Promise<void> {
    this.#stopLease(handle);
    if (handle.tasks.size > 0) {
      await this.timing.sleep(grace, handle.empty);
      handle.abort.stop();
      await new Promise((resolve) => setImmediate(resolve));
      if (handle.tasks.size > 0) {
        // Half a file on disk is being removed.
        await this.timing.sleep(CLEARING, handle.empty);
      }
      // The gate has settled whatever had left. Should anything be left all the same, nobody knows where it is.
      this.#settleAll(handle, () => true, "STOPPED_WAITING");
    }
    this.#handles.delete(handle);
  }

  #submit(batch: Batch, handle: QueueHandleState): Promise<Verdict> {
    const request = this.#client.prepare(batch.operation, batch.fields);
    return new Promise((resolve) => this.#queue(request, batch, handle, { told: resolve }));
  }

  #hand(batch: Batch, handle: QueueHandleState, waiter: Waiter): void {
    this.#queue(this.#client.prepare(batch.operation, batch.fields), batch, handle, waiter);
  }

  #queue(request: PreparedRequest, batch: Batch, handle: QueueHandleState, waiter: Waiter): void {
    const closing = handle.stopNew.stopped || this.#closing !== null;
    const full = this.#full;
    this.#pending++;
    const task = new Task(request, batch.transfer ?? NO_TRANSFER, handle, waiter, this);
    if (closing) {
      this.#settle(task, localVerdict("CLOSING"));
    } else if (full) {
      this.#settle(task, localVerdict("QUEUE_FULL", `limit ${this.settings.queueLimit}`));
    } else {
      this.#workers.add(task, 0);
    }
  }

  #settleAll(handle: QueueHandleState, which: (task: Task) => boolean, fault: LocalFault): void {
    for (const task of handle.tasks.values().filter(which)) {
      this.#settle(task, localVerdict(fault, "", task.attempts));
    }
  }

  get #idleConnections(): number {
    return Math.max(0, this.settings.connections - this.#underWay);
  }

  get #full(): boolean {
    return this.load.waiting >= this.settings.queueLimit + this.#idleConnections;
  }

  /** Where the queue is full, `submit` says so at once. */
  #crowded(handle: QueueHandleState): boolean {
    const waits = this.#unread.size > 0 || this.#workers.waiting >= this.#readAhead;
    return waits && !handle.stopNew.stopped && this.#closing === null && !this.#full;
  }

  /** Has messages read, as many as shall be ready for the next free workers. */
  #readOn(): void {
    if (this.#reading || this.#inCall) {
      return;
    }
    this.#reading = true;
    while (this.#workers.waiting < this.#readAhead) {
      const unread = this.#unread.take();
      if (unread === undefined) {
        break;
      }
      unread.start();
    }
    this.#reading = false;
  }

  #settle(task: Task, verdict: Verdict): void {
    if (!task.settled) {
      task.settled = true;
      this.#pending--;
      task.handle.tasks.remove(task.place);
      this.#delivery.add(task, verdict);
      if (task.handle.stopNew.stopped && task.handle.tasks.size === 0) {
        task.handle.empty.stop();
      }
    }
  }

  /** After a pause outside of the workers the task comes again. */
  async #again(task: Task, delay: number): Promise<void> {
    await this.timing.sleep(delay, task.handle.stopNew);
    if (!task.settled) {
      // What waited longest goes first: a repeated batch passes those that came after it.
      this.#workers.add(task, task.attempts);
    }
  }

  /** One try of a task in a slot. @returns false where there is none to make */
  #start(task: Task, slot: number): boolean {
    if (task.settled) {
      this.#readOn();
      return false;
    }
    if (this.#limiter.free) {
      this.#leave(task, slot);
    } else {
      void this.#leaveInTurn(task, slot);
    }
    return true;
  }

  async #leaveInTurn(task: Task, slot: number): Promise<void> {
    await this.#limiter.turn(task.handle.stopNew);
    if (task.settled) {
      this.#readOn();
      this.#workers.free(slot);
    } else {
      this.#leave(task, slot);
    }
  }

  #leave(task: Task, slot: number): void {
    task.slot = slot;
    task.underWay = true;
    this.#underWay++;
    this.#client.begin(task.request, task.handle, task.transfer, task, slot);
    // This one is on its way, so there is time for another.
    this.#readOn();
  }

  /**
   * What became of it is decided here within one call, in which the next request leaves as well: a handle that closes
   * finds a task under way or settled, and never an answered one that looks as if it had not left.
   */
  tried(task: Task, tried: Verdict): void {
    task.underWay = false;
    this.#underWay--;
    task.attempts += tried.attempts;
    const verdict = tried.attempts === task.attempts ? tried : { ...tried, attempts: task.attempts };
    this.#slowDown(verdict);
    const delay =
      verdict.retry === "back-off" ? retryDelay(verdict, this.#bounds, this.timing.random()) : null;
    if (delay === null || task.handle.stopNew.stopped) {
      this.#settle(task, verdict);
    } else {
      void this.#again(task, delay);
    }
    if (tried.source === "local") {
      // The HTTP client is in the middle of giving a connection up, and takes no request for it before it is done.
      const { slot } = task;
      queueMicrotask(() => {
        this.#workers.free(slot);
        this.#readOn();
      });
      return;
    }
    const inCall = this.#inCall;
    this.#inCall = true;
    this.#workers.free(task.slot);
    this.#inCall = inCall;
    if (this.#unread.size > 0) {
      this.#delivery.wake();
    }
  }

  /** Pauses every request to the origin where the outcome table says so: the service counts by IP address. */
  #slowDown({ throttle, retryAfter, attempts }: Verdict): void {
    if (throttle === "origin") {
      const wait = retryAfter ?? THROTTLE_BASE * 2 ** (attempts - 1);
      this.#limiter.backOff(Math.min(wait, this.#bounds.longestWait));
    }
  }
}
