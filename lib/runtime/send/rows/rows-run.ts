import type { NodeMessage } from "node-red";
import { SetupError } from "../../../shared/messaging-error";
import { say } from "../../../texts/say";
import type { SendProgress } from "../../activity/activity-log";
import { cancelUnread } from "../cancelled-unread";
import type { Done } from "../message-end";
import type { CancelRequest } from "../read-cancel";
import type { Send } from "../result-outlet";
import type { SendContext } from "../send-context";
import type { RowMessages } from "./row-messages";

/** ms of work before the event loop has its turn. */
const SLICE = 8;

interface RowSteps {
  /** Starts the message of a row now, whatever waits. */
  readonly begin: (msg: NodeMessage, send: Send, done: Done) => void;
  /**
   * Calls `go` when a further message may begin; must not call it at once.
   * @param open rows that have begun and not ended
   * @returns false where it may now
   */
  readonly defers: (open: number, go: () => void) => boolean;
  /** No row waits unread any more. */
  readonly allBegun: () => void;
}

/** Sends the rows of one list, each as a message of its own, in order and no faster than they can leave. */
export class RowsRun {
  #at = 0;
  #open = 0;
  readonly #progress: SendProgress;
  #haveAllBegun = false;
  #isDone = false;
  /** What is wrong with the set-up of the node, for all rows. */
  #fatal: SetupError | null = null;
  /** Why no further rows begin. */
  #stop: SetupError | null = null;
  #unsent = 0;
  readonly #cancels: CancelRequest[] = [];
  /** Continues where the run waits for one of its own rows to end. */
  #onEnd: (() => void) | null = null;

  constructor(
    private readonly context: SendContext,
    private readonly rows: RowMessages,
    private readonly count: number,
    private readonly send: Send,
    private readonly done: Done,
    private readonly steps: RowSteps,
  ) {
    this.#progress = context.progress(count);
  }

  /** Cancels rows that have not begun: those that are meant end as they begin. */
  cancel(request: CancelRequest): void {
    this.#cancels.push(request);
  }

  /** Calls `go` when one of the rows ends. */
  onEnd(go: () => void): void {
    this.#onEnd = go;
  }

  /** Begins no further rows. `done` is told how many those are. */
  stop(reason: SetupError): void {
    this.#stop = reason;
    this.#wake();
  }

  /** Begins as many rows as may begin now. */
  readonly next = (): void => {
    const start = performance.now();
    this.#fatal ??= this.#stop;
    while (this.#at < this.count && this.#fatal === null) {
      if (this.steps.defers(this.#open, this.#deferred)) {
        return;
      }
      this.#beginOne();
      if (performance.now() - start >= SLICE) {
        setImmediate(this.next);
        return;
      }
    }
    this.#endBeginning();
  };

  /** A further row may begin, even where others wait behind it. */
  readonly #deferred = (): void => {
    this.#beginOne();
    this.next();
  };

  #beginOne(): void {
    const index = this.#at++;
    const msg = this.rows.at(index);
    if (this.#cancels.length > 0) {
      cancelUnread(msg, this.#cancels);
    }
    this.#open++;
    const send: Send = Object.assign((messages: (NodeMessage | null)[]) => this.send(messages), {
      row: index,
      person: this.rows.nameAt(index),
    });
    this.context.badge.resume(-1);
    const done = (error?: Error): void => this.#ended(msg, error);
    this.steps.begin(msg, send, Object.assign(done, { raised: () => this.#ended(msg, undefined) }));
  }

  #ended(msg: NodeMessage, error: Error | undefined): void {
    this.#open--;
    if (error instanceof SetupError) {
      this.#fatal ??= error;
      this.#unsent++;
    } else if (error !== undefined) {
      this.context.node.error(error, msg);
    }
    this.#progress.step(1);
    this.#wake();
    this.#endIfDone();
  }

  #wake(): void {
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    onEnd?.();
  }

  #endBeginning(): void {
    if (this.#haveAllBegun) {
      return;
    }
    this.#haveAllBegun = true;
    const left = this.count - this.#at;
    this.#at = this.count;
    this.#unsent += left;
    this.context.badge.resume(-left);
    this.steps.allBegun();
    this.#endIfDone();
  }

  #endIfDone(): void {
    // What a store has ends in a later life of the flows, which this list does not see.
    const isLeft = this.#open > 0 && this.#stop === null;
    if (!this.#haveAllBegun || isLeft || this.#isDone) {
      return;
    }
    this.#isDone = true;
    this.#progress.end();
    const error = this.#fatal;
    this.done(
      error === null
        ? undefined
        : new SetupError(
            error.code,
            say("send.rows.unsent", { problem: error.message, count: this.#unsent, all: this.count }),
          ),
    );
  }
}
