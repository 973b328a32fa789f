import type { Attempted } from "../client/attempt";
import type { OperationId } from "../contract/operations";
import type { RequestFields } from "../codec/encode-request";
import type { PreparedRequest } from "../codec/prepare-request";
import type { Transfer } from "../http/body/transfer";
import { CancelSignal, type CancelSignals } from "../http/cancel-signal";
import type { Verdict } from "../codec/verdict";
import type { RateLimiter } from "./rate-limiter";
import type { WorkerPool } from "./worker-pool";

/** One request to make: an operation and its fields, recipients included. */
export interface Batch {
  readonly operation: OperationId;
  readonly fields: RequestFields;
  /** Sink, limit and progress callback of a request that moves a file. */
  readonly transfer?: Transfer;
}

/** Access of a node to the dispatcher for requests that no store has. Closing it ends the requests of this node only. */
export interface QueueHandle {
  /** Checks and encodes a batch. @throws SetupError, FieldError */
  prepare(batch: Batch): PreparedRequest;
  send(request: PreparedRequest, transfer?: Transfer): Promise<Verdict>;
  /** Starts no more requests: those that have not left are settled as CLOSING, those in flight wait for their answer. */
  stop(): void;
  /** As `stop`, then waits up to `grace` ms for answers and aborts the rest. Called again, the shorter time holds. */
  close(grace: number): Promise<void>;
}

/** Gives requests of a store to the dispatcher. */
export interface DispatcherHandle {
  /** Whether nothing may leave. `onIdle` is called when it may again. */
  readonly paused: boolean;
  /** Connections. */
  readonly workers: Pick<WorkerPool<unknown>, "idle">;
  /** Rate and back-offs of this process. */
  readonly limiter: Pick<
    RateLimiter,
    "free" | "interval" | "blockedFor" | "nextIn" | "onBackOff" | "takeSlot" | "depart"
  >;
  /** Requests that may be at the service at the same time. */
  readonly concurrency: number;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** The rate is divided by this number of processes. */
  shareRate(processes: number): void;
  /** @throws SetupError, FieldError */
  prepare(batch: Batch): PreparedRequest;
  /** Starts a request as soon as a connection is free. */
  start(request: PreparedRequest, stored: StoredWaiter, attempts: number): void;
  /** Requests that have not left are put back; others wait for their answer. */
  stop(): void;
  /** As `stop`, then waits up to `grace` ms for answers and aborts the rest. */
  close(grace: number): Promise<void>;
}

/** Receives the verdict of a request. */
export interface Waiter {
  /** Must not throw. */
  onVerdict(verdict: Verdict): void;
}

/** A request of a store: it gets its verdict, or goes back to the store. */
export interface StoredWaiter extends Waiter {
  /** Whether this process may still send it. Asked directly before its first byte leaves. */
  mayLeave(): boolean;
  /** Whether the other processes cannot have called this one dead. */
  holdsLease(): boolean;
  /** Nothing of it has left, and it is to be tried again. @param delay ms to wait @param attempts tries that were made, earlier ones included */
  putBack(delay: number, attempts: number): void;
}

/** The queue of a task. */
interface TaskOwner {
  mayLeave(task: Task): boolean;
  onAttempt(task: Task, verdict: Verdict): void;
}

/** A batch in the queue. */
export class Task implements Attempted {
  /** True while its request may be at the service. */
  underWay = false;
  settled = false;
  attempts = 0;
  worker = 0;
  constructor(
    readonly request: PreparedRequest,
    readonly transfer: Transfer,
    readonly handle: QueueHandleState,
    readonly waiter: Waiter,
    private readonly owner: TaskOwner,
    /** Set for a request of a store. */
    readonly stored: StoredWaiter | null = null,
  ) {
    handle.tasks.add(this);
  }

  maySend(): boolean {
    return this.owner.mayLeave(this) && (this.stored === null || this.stored.mayLeave());
  }

  holdsLease(): boolean {
    return this.stored === null || this.stored.holdsLease();
  }

  attempted(verdict: Verdict): void {
    this.owner.onAttempt(this, verdict);
  }
}

/** The dispatcher's state of a handle. Its signals end requests of this handle only. */
export interface QueueHandleState extends CancelSignals {
  readonly tasks: Set<Task>;
  /** Stopped when the last task of a stopped handle has ended. */
  readonly empty: CancelSignal;
}

export function newQueueHandle(): QueueHandleState {
  return {
    stopNew: new CancelSignal(),
    abort: new CancelSignal(),
    tasks: new Set(),
    empty: new CancelSignal(),
  };
}
