import { type ListNode, LinkedList } from "../http/linked-list";
import type { Attempted } from "../client/attempt";
import type { OperationId } from "../contract/operations";
import type { RequestFields } from "../codec/encode-request";
import type { PreparedRequest } from "../codec/prepare-request";
import type { Transfer } from "../http/body/transfer";
import { CancelSignal, type CancelSignals } from "../http/cancel-signal";
import type { Verdict } from "../codec/verdict";

/** One request to make: an operation and its fields, recipients included. */
export interface Batch {
  readonly operation: OperationId;
  readonly fields: RequestFields;
  /** Sink, limit and progress callback of a request that moves a file. */
  readonly transfer?: Transfer;
}

/** A node's access to the dispatcher. Closing it ends the messages of this node only. */
export interface QueueHandle {
  /**
   * Sends a batch. Resolves with its verdict.
   * @throws SetupError or FieldError before anything is sent; never rejects later
   */
  submit(batch: Batch): Promise<Verdict>;
  /** As `submit`, with a callback in a later turn of the event loop. */
  submitWithCallback(batch: Batch, waiter: Waiter): void;
  /** True while a new batch would wait long, so that its message is better read later. */
  isBacklogged(): boolean;
  /** Calls `start`, which must not throw, in the order of the calls, at the latest when the handle closes. */
  defer(start: () => void): void;
  /** Starts no more requests: those that have not left are settled as CLOSING, those in flight wait for their answer. */
  stop(): void;
  /** As `stop`, then waits up to `grace` ms for answers and aborts the rest. Called again, the shorter time holds. */
  close(grace: number): Promise<void>;
}

/** Receives the verdict of a batch. */
export interface Waiter {
  /** Must not throw. */
  onVerdict(verdict: Verdict): void;
}

/** A batch in the queue. */
export class Task implements Attempted {
  /** True while its request may be at the service. */
  underWay = false;
  settled = false;
  attempts = 0;
  worker = 0;
  verdict: Verdict | null = null;
  readonly node: ListNode<Task>;

  constructor(
    readonly request: PreparedRequest,
    readonly transfer: Transfer,
    readonly handle: QueueHandleState,
    readonly waiter: Waiter,
    private readonly owner: { onAttempt(task: Task, verdict: Verdict): void },
  ) {
    this.node = handle.tasks.add(this);
  }

  attempted(verdict: Verdict): void {
    this.owner.onAttempt(this, verdict);
  }
}

/** The dispatcher's state of a handle. Its signals end requests of this handle only. */
export interface QueueHandleState extends CancelSignals {
  readonly tasks: LinkedList<Task>;
  /** Stopped when the last task of a stopped handle has ended. */
  readonly empty: CancelSignal;
}

export function newQueueHandle(): QueueHandleState {
  return {
    stopNew: new CancelSignal(),
    abort: new CancelSignal(),
    tasks: new LinkedList(),
    empty: new CancelSignal(),
  };
}
