import PQueue from "p-queue";
import type { RequestFields } from "./encode-request";
import { GatewayClient, type PreparedRequest } from "./gateway-client";
import type { OperationId } from "./operations";
import { OriginLimiter } from "./origin-limiter";
import { RETRY_DEFAULTS, type RetryBounds, retryDelay } from "./retry-policy";
import type { GatewaySettings } from "./settings";
import { StopGate } from "./stop-gate";
import { REAL_TIMING, type Timing } from "./timing";
import { localVerdict, type Verdict } from "./verdict";

/** One request to make: an operation and its fields, recipients included. */
export interface Batch {
  readonly operation: OperationId;
  readonly fields: RequestFields;
}

/** Back-off after 4023 where the service does not say how long; ms. */
const THROTTLE_BASE = 1_000;

/** What a node holds of the dispatcher. Its own messages end with it, other nodes' go on. */
export interface Lease {
  /**
   * Sends a batch and says what became of it.
   * @throws SetupError or FieldError before anything is sent; never rejects later
   */
  submit(batch: Batch): Promise<Verdict>;
  /** Starts nothing more, waits up to `grace` ms for answers, then gives up on the rest. */
  close(grace: number): Promise<void>;
}

/** A batch on its way through the queue. */
interface Task {
  readonly request: PreparedRequest;
  readonly lease: LeaseState;
  readonly resolve: (verdict: Verdict) => void;
  /** True while a request of it may be at the service. */
  underWay: boolean;
  settled: boolean;
  attempts: number;
}

/** The lease's own gates: `halt` keeps what has not left from leaving, `kill` ends what is under way. */
interface LeaseState {
  readonly halt: StopGate;
  readonly kill: StopGate;
  readonly tasks: Set<Task>;
  idle: () => void;
}

/**
 * Sends the batches of one account: so many at a time, so many a second, so many waiting; tries again what was
 * surely not sent. The seam where a durable outbox or a distributed queue would be put.
 */
export class Dispatcher {
  readonly #client: GatewayClient;
  readonly #queue: PQueue;
  readonly #limiter: OriginLimiter;
  readonly #leaveLimiter: () => void;
  readonly #bounds: RetryBounds;
  readonly #leases = new Set<LeaseState>();
  #pending = 0;
  #underWay = 0;
  #closing: Promise<void> | null = null;

  /** @throws SetupError when the settings cannot work */
  constructor(
    private readonly settings: GatewaySettings,
    private readonly timing: Timing = REAL_TIMING,
  ) {
    this.#client = new GatewayClient(settings, timing);
    this.#queue = new PQueue({ concurrency: settings.connections });
    const { limiter, leave } = OriginLimiter.join(
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

  /** Batches waiting and batches whose request is under way. */
  get load(): { readonly waiting: number; readonly underWay: number } {
    return { waiting: this.#pending - this.#underWay, underWay: this.#underWay };
  }

  /** Masks the account's secrets in a text. */
  clean(text: string): string {
    return this.#client.redactor.clean(text);
  }

  lease(): Lease {
    const state: LeaseState = {
      halt: new StopGate(),
      kill: new StopGate(),
      tasks: new Set(),
      idle: () => {},
    };
    this.#leases.add(state);
    return {
      submit: (batch) => this.#submit(batch, state),
      close: (grace) => this.#closeLease(state, grace),
    };
  }

  /** Closes every lease and frees sockets and timers. */
  close(grace: number): Promise<void> {
    this.#closing ??= this.#closeAll(grace);
    return this.#closing;
  }

  async #closeAll(grace: number): Promise<void> {
    await Promise.all([...this.#leases].map((lease) => this.#closeLease(lease, grace)));
    this.#leaveLimiter();
    await this.#client.destroy();
  }

  async #closeLease(lease: LeaseState, grace: number): Promise<void> {
    lease.halt.stop();
    this.#settleAll(lease, (task) => !task.underWay);
    if (lease.tasks.size > 0) {
      const allDone = new StopGate();
      lease.idle = () => allDone.stop();
      await this.timing.sleep(grace, allDone);
      lease.kill.stop();
      // The gate settles at once whatever had been handed over; what is left now still waits for a token.
      await new Promise((resolve) => setImmediate(resolve));
      this.#settleAll(lease, () => true);
    }
    this.#leases.delete(lease);
  }

  #submit(batch: Batch, lease: LeaseState): Promise<Verdict> {
    const request = this.#client.prepare(batch.operation, batch.fields);
    if (lease.halt.stopped || this.#closing !== null) {
      return Promise.resolve(localVerdict("CLOSING"));
    }
    if (this.#pending - this.#underWay >= this.settings.queueLimit + this.#idleConnections) {
      return Promise.resolve(localVerdict("QUEUE_FULL", `limit ${this.settings.queueLimit}`));
    }
    return new Promise((resolve) => {
      const task: Task = { request, lease, resolve, underWay: false, settled: false, attempts: 0 };
      this.#pending++;
      lease.tasks.add(task);
      void this.#run(task);
    });
  }

  /** Nothing of these tasks is at the service: they end as not sent. */
  #settleAll(lease: LeaseState, which: (task: Task) => boolean): void {
    for (const task of [...lease.tasks].filter(which)) {
      this.#settle(task, localVerdict("CLOSING", "", task.attempts));
    }
  }

  get #idleConnections(): number {
    return Math.max(0, this.settings.connections - this.#underWay);
  }

  #settle(task: Task, verdict: Verdict): void {
    if (!task.settled) {
      task.settled = true;
      this.#pending--;
      task.lease.tasks.delete(task);
      task.resolve(verdict);
      if (task.lease.tasks.size === 0) {
        task.lease.idle();
      }
    }
  }

  async #run(task: Task): Promise<void> {
    for (;;) {
      // What waited longest goes first: a repeated batch passes those that came after it.
      const verdict = await this.#queue.add(() => this.#once(task), { priority: task.attempts });
      if (verdict === null) {
        return;
      }
      const delay = retryDelay(verdict, this.#bounds, this.timing.random());
      if (delay === null || task.lease.halt.stopped) {
        this.#settle(task, verdict);
        return;
      }
      await this.timing.sleep(delay, task.lease.halt);
    }
  }

  /** One try of a task in a slot of the queue; null when the task was settled meanwhile. */
  async #once(task: Task): Promise<Verdict | null> {
    if (task.settled) {
      return null;
    }
    if (!this.#limiter.free) {
      await this.#limiter.turn(task.lease.halt);
      if (task.settled) {
        return null;
      }
    }
    task.underWay = true;
    this.#underWay++;
    const verdict = await this.#attempt(task);
    task.underWay = false;
    this.#underWay--;
    task.attempts += verdict.attempts;
    if (verdict.statusName === "THROTTLING_SPAMMING_IP") {
      const wait = verdict.retryAfter ?? THROTTLE_BASE * 2 ** (task.attempts - 1);
      this.#limiter.backOff(Math.min(wait, this.#bounds.longestWait));
    }
    return { ...verdict, attempts: task.attempts };
  }

  async #attempt(task: Task): Promise<Verdict> {
    try {
      return await this.#client.attempt(task.request, task.lease.kill);
    } catch (error) {
      // A fault of this package: nobody can say how far the request came, so it must not be repeated.
      return localVerdict("INTERNAL_FAULT", this.clean(String(error)), 1);
    }
  }
}
