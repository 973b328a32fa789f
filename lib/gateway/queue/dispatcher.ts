import { say } from "../../texts/say";
import type { PreparedRequest } from "../codec/prepare-request";
import { localVerdict } from "../codec/verdict";
import type { LocalFault } from "../contract/local-outcomes";
import type { GatewaySettings } from "../contract/settings";
import { REAL_TIMING, type Timing } from "../http/timing";
import {
  type Batch,
  newQueueHandle,
  type QueueHandle,
  type QueueHandleState,
  type DispatcherHandle,
  type StoredWaiter,
  type Task,
  type Waiter,
} from "./queue-handle";
import { TaskRunner } from "./task-runner";

export type { Batch, LeaveDecision, QueueHandle, Waiter } from "./queue-handle";

/** ms for an aborted transfer to remove what it wrote. */
const CLEARING = 1_000;
const NO_TRANSFER = {};

/** The queue of one account: limits requests in flight and waiting batches, and repeats what was certainly not sent. */
export class Dispatcher {
  readonly #runner: TaskRunner;
  readonly #handles = new Set<QueueHandleState>();
  readonly #idleListeners = new Set<() => void>();
  #closing: Promise<void> | null = null;

  /** @throws SetupError when the settings cannot work */
  constructor(
    private readonly settings: GatewaySettings,
    private readonly timing: Timing = REAL_TIMING,
  ) {
    this.#runner = new TaskRunner(settings, timing, () => this.#onIdle());
  }

  /** Batches that a caller can usefully have in the queue at once. */
  get concurrency(): number {
    return this.settings.connections;
  }

  /** Batches that wait, unread messages and those that wait for a moment included, and batches whose request is in flight. */
  get load(): { readonly waiting: number; readonly underWay: number } {
    return this.#runner.load;
  }

  /** The one that leaves next of those that wait for nothing but their turn; the same object each time while it waits. Null for none. */
  get first(): object | null {
    return this.#runner.waiting.first;
  }

  /** How requests follow each other in this process: ms between two, 0 for no limit, and ms until a back-off ends, 0 for none. */
  get rate(): { readonly origin: string; readonly interval: number; readonly blockedFor: number } {
    const { client, limiter } = this.#runner;
    return { origin: client.service.origin, interval: limiter.interval, blockedFor: limiter.blockedFor };
  }

  /** Waiting requests above the connections after which no more are taken. */
  get queueLimit(): number {
    return this.settings.queueLimit;
  }

  /** Whether no message leaves. Those that have not left wait; what is in flight goes on. */
  get paused(): boolean {
    return this.#runner.waiting.paused;
  }

  set paused(paused: boolean) {
    const { waiting } = this.#runner;
    const resumes = waiting.paused && !paused;
    waiting.paused = paused;
    if (resumes) {
      waiting.resume();
      this.#onIdle();
    }
  }

  /** Checks and encodes a request. @throws SetupError, FieldError */
  prepare({ operation, fields }: Batch): PreparedRequest {
    return this.#runner.client.prepare(operation, fields);
  }

  openHandle(): QueueHandle {
    const handle = this.#newHandle();
    const { waiting } = this.#runner;
    return {
      submitWithCallback: (batch, waiter) => this.#submit(batch, handle, waiter),
      prepare: (batch) => this.prepare(batch),
      isBacklogged: () => waiting.isBacklogged && !this.#isClosing(handle) && !this.#isFull,
      defer: (start) => waiting.defer(handle, start),
      cancel: (which) => this.#settleAll(handle, ({ waiter }) => which(waiter), "CANCELLED"),
      stop: () => this.#stopHandle(handle),
      close: (grace) => this.#closeHandle(handle, grace),
    };
  }

  /** Opens the way for requests of a store. @param onIdle called when workers may have become idle, or fewer requests wait for one */
  openForStore(onIdle: () => void): DispatcherHandle {
    const handle = this.#newHandle();
    this.#idleListeners.add(onIdle);
    const { client, limiter, waiting, workers } = this.#runner;
    return {
      get paused() {
        return waiting.paused;
      },
      workers,
      limiter,
      origin: client.service.origin,
      concurrency: this.concurrency,
      turn: () => (limiter.free ? null : limiter.turn(handle.stopNew)),
      prepare: (batch) => this.prepare(batch),
      start: (request, stored, attempts) => this.#startStored(request, handle, stored, attempts),
      stop: () => this.#stopHandle(handle),
      close: async (grace) => {
        this.#idleListeners.delete(onIdle);
        await this.#closeHandle(handle, grace);
      },
    };
  }

  #newHandle(): QueueHandleState {
    const handle = newQueueHandle();
    this.#handles.add(handle);
    return handle;
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
    await this.#runner.close();
  }

  #isClosing(handle: QueueHandleState): boolean {
    return handle.stopNew.stopped || this.#closing !== null;
  }

  /** Ends requests that have not left: at once in the queue or a pause, within this turn while they wait for a token or connection. */
  #stopHandle(handle: QueueHandleState): void {
    handle.stopNew.stop();
    this.#runner.waiting.readAll(handle);
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
      for (const task of handle.tasks) {
        this.#runner.settle(task, localVerdict("STOPPED_WAITING", "", task.attempts));
      }
    }
    this.#handles.delete(handle);
  }

  /** Settles tasks of a handle that are not under way. @returns how many */
  #settleAll(handle: QueueHandleState, which: (task: Task) => boolean, fault: LocalFault): number {
    const tasks = [...handle.tasks].filter((task) => !task.underWay && which(task));
    for (const task of tasks) {
      this.#runner.settle(task, localVerdict(fault, "", task.attempts));
    }
    this.#runner.waiting.dropSettled();
    return tasks.length;
  }

  /** Whether a new batch is settled at once, because too many wait. */
  get #isFull(): boolean {
    const { waiting, underWay } = this.load;
    const { connections, queueLimit } = this.settings;
    return waiting >= queueLimit + Math.max(0, connections - underWay);
  }

  #submit(batch: Batch, handle: QueueHandleState, waiter: Waiter): void {
    const request = this.prepare(batch);
    const isFull = this.#isFull;
    const task = this.#runner.open(request, batch.transfer ?? NO_TRANSFER, handle, waiter);
    if (this.#isClosing(handle)) {
      this.#runner.settle(task, localVerdict("CLOSING"));
    } else if (isFull) {
      const limit = say("service.queue-limit", { limit: this.settings.queueLimit });
      this.#runner.settle(task, localVerdict("QUEUE_FULL", limit));
    } else {
      this.#runner.workers.add(task, 0);
    }
  }

  #startStored(
    request: PreparedRequest,
    handle: QueueHandleState,
    stored: StoredWaiter,
    attempts: number,
  ): void {
    const { waiting, workers } = this.#runner;
    const task = this.#runner.open(request, NO_TRANSFER, handle, stored, stored);
    task.attempts = attempts;
    if (this.#isClosing(handle) || waiting.isPaused(task)) {
      this.#runner.putBack(task, stored, 0);
    } else {
      task.hasWaited = workers.idle === 0;
      workers.add(task, 0);
    }
  }
}
