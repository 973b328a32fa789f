import type { NodeMessage } from "node-red";
import { SetupError } from "../../../shared/messaging-error";
import { say } from "../../../texts/say";
import type { Done, Send } from "../message-end";
import type { CancelRequest } from "../read-cancel";
import type { SendContext } from "../send-context";
import type { RowMessages } from "./row-messages";

/** Milliseconds of work between yields to the event loop. */
const SLICE = 8;

interface RowSteps {
  readonly begin: (msg: NodeMessage, send: Send, done: Done) => void;
  /** Calls `go` asynchronously when a further row may start. @returns false if it may start at once */
  readonly defers: (open: number, go: () => void) => boolean;
  readonly allBegun: () => void;
}

/** Sends each row of a list as a message, in order and no faster than the account sends. */
export class RowsRun {
  #at = 0;
  #open = 0;
  #haveAllBegun = false;
  #isDone = false;
  /** A setup error, which holds for all rows. */
  #fatal: SetupError | null = null;
  #stop: SetupError | null = null;
  #unsent = 0;
  readonly #cancels: CancelRequest[] = [];
  #onEnd: (() => void) | null = null;

  constructor(
    private readonly context: SendContext,
    private readonly rows: RowMessages,
    private readonly count: number,
    private readonly send: Send,
    private readonly done: Done,
    private readonly steps: RowSteps,
  ) {}

  cancel(request: CancelRequest): void {
    this.#cancels.push(request);
  }

  onEnd(go: () => void): void {
    this.#onEnd = go;
  }

  stop(reason: SetupError): void {
    this.#stop = reason;
    this.#wake();
  }

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

  readonly #deferred = (): void => {
    this.#beginOne();
    this.next();
  };

  #beginOne(): void {
    const index = this.#at++;
    const msg = this.rows.at(index);
    this.#open++;
    const send: Send = Object.assign((messages: (NodeMessage | null)[]) => this.send(messages), {
      row: index,
      person: this.rows.nameAt(index),
      cancels: [...this.#cancels],
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
    // Stored rows end in a later run of the flows, which this list does not see.
    const isLeft = this.#open > 0 && this.#stop === null;
    if (!this.#haveAllBegun || isLeft || this.#isDone) {
      return;
    }
    this.#isDone = true;
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
