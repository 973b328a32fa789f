import type { LocalFault } from "../shared/plain-outcomes";
import { GatewayClient } from "./gateway-client";
import { Line } from "./line";
import { type Batch, type Lease, type LeaseState, newLease, Task, type Waiter } from "./lease";
import { OriginLimiter } from "./origin-limiter";
import { Outbox } from "./outbox";
import type { PreparedRequest } from "./prepare-request";
import { RETRY_DEFAULTS, type RetryBounds, retryDelay } from "./retry-policy";
import type { GatewaySettings } from "./settings";
import { Slots } from "./slots";
import { REAL_TIMING, type Timing } from "./timing";
import { localVerdict, type Verdict } from "./verdict";

export type { Batch, Lease, Waiter } from "./lease";

/** Back-off after 4023 where the service does not say how long; ms. */
const THROTTLE_BASE = 1_000;
/** ms that a broken off transfer has to take back what it wrote. */
const CLEARING = 1_000;
const NO_TRANSFER = {};
/** Batches that wait ready for the next free slot before messages are left unread. */
const READ_AHEAD = 16;

/**
 * Sends the batches of one account: so many at a time, so many a second, so many waiting; tries again what was
 * surely not sent. The seam where a durable outbox or a distributed queue would be put.
 */
export class Dispatcher {
  readonly #client: GatewayClient;
  readonly #slots: Slots<Task>;
  readonly #limiter: OriginLimiter;
  readonly #leaveLimiter: () => void;
  readonly #bounds: RetryBounds;
  readonly #leases = new Set<LeaseState>();
  /** Messages that wait as they came: read and encoded, a burst would hold up everything else and take much memory. */
  readonly #unread = new Line<{ readonly lease: LeaseState; readonly start: () => void }>();
  readonly #readAhead: number;
  readonly #outbox = new Outbox(() => this.#readOn());
  /** Slots whose requests were answered in this turn. */
  #answered: number[] = [];
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
    this.#slots = new Slots(settings.connections, (task, slot) => this.#start(task, slot));
    this.#readAhead = Math.max(READ_AHEAD, settings.connections);
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

  /** Batches waiting, messages not read yet among them, and batches whose request is under way. */
  get load(): { readonly waiting: number; readonly underWay: number } {
    return { waiting: this.#unread.size + this.#pending - this.#underWay, underWay: this.#underWay };
  }

  /** Masks the account's secrets in a text. */
  clean(text: string): string {
    return this.#client.redactor.clean(text);
  }

  lease(): Lease {
    const state = newLease();
    this.#leases.add(state);
    return {
      submit: (batch) => this.#submit(batch, state),
      hand: (batch, waiter) => this.#hand(batch, state, waiter),
      crowded: () => this.#crowded(state),
      later: (start) => this.#unread.add({ lease: state, start }),
      stop: () => this.#stopLease(state),
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

  /** What has not left ends: at once in the queue or a pause, within this turn while waiting for a token or connection. */
  #stopLease(lease: LeaseState): void {
    lease.halt.stop();
    for (const { start } of this.#unread.takeAll((unread) => unread.lease === lease)) {
      start();
    }
    this.#settleAll(lease, (task) => !task.underWay, "CLOSING");
  }

  /** Its node and the account may both close it. */
  async #closeLease(lease: LeaseState, grace: number): Promise<void> {
    this.#stopLease(lease);
    if (lease.tasks.size > 0) {
      await this.timing.sleep(grace, lease.empty);
      lease.kill.stop();
      await new Promise((resolve) => setImmediate(resolve));
      if (lease.tasks.size > 0) {
        // Half a file on disk is being removed.
        await this.timing.sleep(CLEARING, lease.empty);
      }
      // The gate has settled whatever had left. Should anything be left all the same, nobody knows where it is.
      this.#settleAll(lease, () => true, "STOPPED_WAITING");
    }
    this.#leases.delete(lease);
  }

  #submit(batch: Batch, lease: LeaseState): Promise<Verdict> {
    const request = this.#client.prepare(batch.operation, batch.fields);
    return new Promise((resolve) => this.#queue(request, batch, lease, { told: resolve }));
  }

  #hand(batch: Batch, lease: LeaseState, waiter: Waiter): void {
    this.#queue(this.#client.prepare(batch.operation, batch.fields), batch, lease, waiter);
  }

  #queue(request: PreparedRequest, batch: Batch, lease: LeaseState, waiter: Waiter): void {
    const closing = lease.halt.stopped || this.#closing !== null;
    const full = this.#full;
    this.#pending++;
    const task = new Task(request, batch.transfer ?? NO_TRANSFER, lease, waiter, this);
    if (closing) {
      this.#settle(task, localVerdict("CLOSING"));
    } else if (full) {
      this.#settle(task, localVerdict("QUEUE_FULL", `limit ${this.settings.queueLimit}`));
    } else {
      this.#slots.add(task, 0);
    }
  }

  #settleAll(lease: LeaseState, which: (task: Task) => boolean, fault: LocalFault): void {
    for (const task of lease.tasks.values().filter(which)) {
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
  #crowded(lease: LeaseState): boolean {
    const waits = this.#unread.size > 0 || this.#slots.waiting >= this.#readAhead;
    return waits && !lease.halt.stopped && this.#closing === null && !this.#full;
  }

  /** Has messages read, as many as shall be ready for the next free slots. */
  #readOn(): void {
    if (this.#reading) {
      return;
    }
    this.#reading = true;
    while (this.#slots.waiting < this.#readAhead) {
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
      task.lease.tasks.remove(task.place);
      this.#outbox.add(task, verdict);
      if (task.lease.halt.stopped && task.lease.tasks.size === 0) {
        task.lease.empty.stop();
      }
    }
  }

  /** After a pause outside of the slots the task comes again. */
  async #again(task: Task, delay: number): Promise<void> {
    await this.timing.sleep(delay, task.lease.halt);
    if (!task.settled) {
      // What waited longest goes first: a repeated batch passes those that came after it.
      this.#slots.add(task, task.attempts);
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
    await this.#limiter.turn(task.lease.halt);
    if (task.settled) {
      this.#readOn();
      this.#slots.free(slot);
    } else {
      this.#leave(task, slot);
    }
  }

  #leave(task: Task, slot: number): void {
    task.slot = slot;
    task.underWay = true;
    this.#underWay++;
    this.#client.begin(task.request, task.lease, task.transfer, task, slot);
    // This one is on its way, so there is time for another.
    this.#readOn();
  }

  /**
   * What became of it is decided here within one call: a lease that closes finds a task under way or settled, and never
   * an answered one that looks as if it had not left.
   */
  tried(task: Task, tried: Verdict): void {
    task.underWay = false;
    this.#underWay--;
    task.attempts += tried.attempts;
    const verdict = tried.attempts === task.attempts ? tried : { ...tried, attempts: task.attempts };
    this.#slowDown(verdict);
    const delay =
      verdict.outcome === "retry-later" ? retryDelay(verdict, this.#bounds, this.timing.random()) : null;
    if (delay === null || task.lease.halt.stopped) {
      this.#settle(task, verdict);
    } else {
      void this.#again(task, delay);
    }
    if (tried.source === "local") {
      // The HTTP client is in the middle of giving a connection up, and takes no request for it before it is done.
      const { slot } = task;
      queueMicrotask(() => {
        this.#slots.free(slot);
        this.#readOn();
      });
      return;
    }
    // The next request follows at the end of this turn: a service may end a connection together with its answer, and
    // the end is read only after this call. What was written before that would be lost, and `unknown`.
    if (this.#answered.push(task.slot) === 1) {
      setImmediate(this.#freeAnswered);
    }
  }

  readonly #freeAnswered = (): void => {
    const slots = this.#answered;
    this.#answered = [];
    for (const slot of slots) {
      this.#slots.free(slot);
    }
    this.#readOn();
  };

  /** After 4023 or a bare 429 everybody at the same origin waits, for the service counts by IP address. */
  #slowDown({ statusName, retryAfter, attempts }: Verdict): void {
    if (statusName === "THROTTLING_SPAMMING_IP" || statusName === "HTTP_429") {
      const wait = retryAfter ?? THROTTLE_BASE * 2 ** (attempts - 1);
      this.#limiter.backOff(Math.min(wait, this.#bounds.longestWait));
    }
  }
}
