import { type ListNode, LinkedList } from "../http/linked-list";
import type { Attempted } from "../client/gateway-client";
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
  /** What it needs besides where it moves a file. */
  readonly transfer?: Transfer;
}

/** What a node holds of the dispatcher. Its own messages end with it, other nodes' go on. */
export interface QueueHandle {
  /**
   * Sends a batch and says what became of it.
   * @throws SetupError or FieldError before anything is sent; never rejects later
   */
  submit(batch: Batch): Promise<Verdict>;
  /** The same for somebody who waits without a promise; he is told in a later turn of the event loop. */
  hand(batch: Batch, waiter: Waiter): void;
  /** True where what is submitted now would wait long, so that its message is better left unread until later. */
  crowded(): boolean;
  /** Calls `start`, which must not throw, when its turn has come; in the order of the calls, and at the latest when the handle closes. */
  later(start: () => void): void;
  /** Starts nothing more: what has not left is settled as CLOSING, what has left waits for its answer. */
  stop(): void;
  /** The same, and waits up to `grace` ms for answers, then gives up on the rest. Called again, the shorter time holds. */
  close(grace: number): Promise<void>;
}

/** Whoever waits for the verdict on a batch. */
export interface Waiter {
  /** Must not throw. */
  told(verdict: Verdict): void;
}

/** A batch on its way through the queue. */
export class Task implements Attempted {
  /** True while a request of it may be at the service. */
  underWay = false;
  settled = false;
  attempts = 0;
  slot = 0;
  verdict: Verdict | null = null;
  readonly place: ListNode<Task>;

  constructor(
    readonly request: PreparedRequest,
    readonly transfer: Transfer,
    readonly handle: QueueHandleState,
    readonly waiter: Waiter,
    private readonly owner: { tried(task: Task, verdict: Verdict): void },
  ) {
    this.place = handle.tasks.add(this);
  }

  attempted(verdict: Verdict): void {
    this.owner.tried(this, verdict);
  }
}

/** What the dispatcher knows of a handle; its gates end its own requests only. */
export interface QueueHandleState extends CancelSignals {
  readonly tasks: LinkedList<Task>;
  /** Stopped when the last task of a halted handle has ended. */
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
