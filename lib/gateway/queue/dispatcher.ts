import type { PreparedRequest } from "../codec/prepare-request";
import type { Transfer } from "../http/body/transfer";
import { localVerdict, type Verdict } from "../codec/verdict";
import type { GatewaySettings } from "../contract/settings";
import { REAL_TIMING, type Timing } from "../http/timing";
import {
  type Batch,
  newQueueHandle,
  type QueueHandle,
  type QueueHandleState,
  type DispatcherHandle,
  type StoredWaiter,
} from "./queue-handle";
import { TaskRunner } from "./task-runner";

export type { Batch, QueueHandle } from "./queue-handle";

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
    return this.#runner.paused;
  }

  set paused(paused: boolean) {
    const resumes = this.#runner.paused && !paused;
    this.#runner.paused = paused;
    if (resumes) {
      this.#onIdle();
    }
  }

  /** The next request that needs a token asks for one, although the token service has just refused it. */
  forgetTokenRefusals(): void {
    this.#runner.client.deleteTokenRefusals();
  }

  /** Checks and encodes a request. @throws SetupError, FieldError */
  prepare({ operation, fields }: Batch): PreparedRequest {
    return this.#runner.client.prepare(operation, fields);
  }

  /** Opens the way for requests that no store has. */
  openHandle(): QueueHandle {
    const handle = this.#newHandle();
    return {
      prepare: (batch) => this.prepare(batch),
      send: (request, transfer = NO_TRANSFER) => this.#send(request, transfer, handle),
      stop: () => this.#stopHandle(handle),
      close: (grace) => this.#closeHandle(handle, grace),
    };
  }

  /** Opens the way for requests of a store. @param onIdle called when workers may have become idle, or fewer requests wait for one */
  openForStore(onIdle: () => void): DispatcherHandle {
    const handle = this.#newHandle();
    this.#idleListeners.add(onIdle);
    const runner = this.#runner;
    const { client, limiter, workers } = runner;
    return {
      get paused() {
        return runner.paused;
      },
      workers,
      limiter,
      origin: client.service.origin,
      concurrency: this.concurrency,
      shareRate: (processes) => runner.shareRate(processes),
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
    for (const task of [...handle.tasks].filter(({ underWay }) => !underWay)) {
      this.#runner.settle(task, localVerdict("CLOSING", "", task.attempts));
    }
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

  #send(request: PreparedRequest, transfer: Transfer, handle: QueueHandleState): Promise<Verdict> {
    return new Promise((resolve) => {
      const task = this.#runner.open(request, transfer, handle, { onVerdict: resolve });
      if (this.#isClosing(handle)) {
        this.#runner.settle(task, localVerdict("CLOSING"));
      } else {
        this.#runner.workers.add(task, 0);
      }
    });
  }

  #startStored(
    request: PreparedRequest,
    handle: QueueHandleState,
    stored: StoredWaiter,
    attempts: number,
  ): void {
    const { workers } = this.#runner;
    const task = this.#runner.open(request, NO_TRANSFER, handle, stored, stored);
    task.attempts = attempts;
    if (this.#isClosing(handle) || this.#runner.isPaused(task)) {
      this.#runner.putBack(task, stored, 0);
    } else {
      workers.add(task, 0);
    }
  }
}
