import type { NodeMessage } from "node-red";
import { rowNames } from "../../../shared/personal-text/row-name";
import { isRow } from "../../../shared/personal-text/row-number";
import { SetupError } from "../../../shared/messaging-error";
import { say } from "../../../texts/say";
import type { Done, Send } from "../message-end";
import type { CancelRequest } from "../read-cancel";
import type { SendContext } from "../send-context";
import type { Ready } from "../send-setup";
import { RowMessages } from "./row-messages";
import { RowsRun } from "./rows-run";

/** Rows that are read at once, if reading needs promises. */
const MOST_READING = 250;

/** Returns a list with rows; null for any other value. */
export const listOfRows = (value: unknown): readonly unknown[] | null =>
  Array.isArray(value) && value.some(isRow) ? value : null;

export class RowsSender {
  readonly #runs = new Set<RowsRun>();

  constructor(
    private readonly context: SendContext,
    private readonly begin: (msg: NodeMessage, send: Send, done: Done) => void,
  ) {}

  /** Adds the name to the results of a row without a list. */
  named(row: unknown, send: Send): Send {
    if (!isRow(row)) {
      return send;
    }
    const person = rowNames([row], this.context.setup.rowName)(row);
    return Object.assign((messages: (NodeMessage | null)[]) => send(messages), send, { person });
  }

  /** Waits for the account, so that the list is sent no faster than the account sends. */
  accept(msg: NodeMessage, list: readonly unknown[], path: string, send: Send, done: Done): void {
    const { context } = this;
    const { setup, active, RED } = context;
    active.begin();
    const start = ({ reader }: Ready): void => {
      const clientMessageId = reader.messageProperty("clientMessageId");
      const places = { rows: path, result: context.resultProperty, clientMessageId };
      // A flow that continues with the list must not change what is sent.
      const rows = new RowMessages(RED, msg, [...list], places, rowNames(list, setup.rowName));
      context.badge.resume(list.length);
      const end: Done = (error) => {
        this.#runs.delete(run);
        done(error);
      };
      const run: RowsRun = new RowsRun(context, rows, list.length, send, end, {
        begin: (row, sendRow, rowDone) => {
          active.begin();
          this.begin(row, sendRow, rowDone);
        },
        defers: (open, go) => this.#defers(run, open, go),
        // From here on each row counts as its own message.
        allBegun: () => active.end(),
      });
      this.#runs.add(run);
      run.next();
    };
    if (setup.opened !== null) {
      start(setup.opened);
      return;
    }
    // Without the account, the message gets the setup error.
    void context.follow(setup.ready().then(start, () => this.begin(msg, send, done)));
  }

  cancel(request: CancelRequest): boolean {
    for (const run of this.#runs) {
      run.cancel(request);
    }
    return this.#runs.size > 0;
  }

  /** Stored rows of an account end only when the account closes, so no further ones are added. */
  stop(): void {
    if (!this.context.setup.opened?.outbox) {
      return;
    }
    const reason = new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    for (const run of this.#runs) {
      run.stop(reason);
    }
  }

  #defers(run: RowsRun, open: number, go: () => void): boolean {
    const { setup, reading } = this.context;
    const { opened } = setup;
    if (reading.size >= MOST_READING) {
      void Promise.race(reading).then(go);
      return true;
    }
    if (open > 0 && opened?.outbox?.isFull(reading.size)) {
      run.onEnd(() => setImmediate(run.next));
      return true;
    }
    const acceptance = opened?.outbox?.acceptance;
    if (acceptance?.isBacklogged()) {
      acceptance.defer(go);
      return true;
    }
    return false;
  }
}
