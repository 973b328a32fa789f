import type { Node, NodeAPI, NodeMessage } from "node-red";
import { isRow } from "../../../shared/personal-text/row-number";
import type { UnderWay } from "../../../shared/async/under-way";
import { SetupError } from "../../../shared/messaging-error";
import { say } from "../../../texts/say";
import type { NodeActivity } from "../../activity/node-activity";
import { messageValue } from "../../fields/personal-field";
import type { AccountLink } from "../account-link";
import type { Done } from "../message-end";
import type { CancelRequest } from "../read-cancel";
import type { Send } from "../result-outlet";
import type { Ready, SendSetup } from "../send-setup";
import { RowMessages, type RowPlaces } from "./row-messages";
import { RowsRun } from "./rows-run";

/** What sending rows needs of its node. */
export interface RowsParts {
  readonly node: Node;
  readonly activity: NodeActivity;
  /** Whether the account's service is the built-in simulator. */
  readonly simulated: boolean;
  readonly setup: SendSetup;
  readonly link: AccountLink;
  /** Path of the result in a message, without `msg.`. */
  readonly resultProperty: string;
  /** Messages that have not ended. */
  readonly active: UnderWay;
  /** Reads and sends a message that counts as active. */
  readonly begin: (msg: NodeMessage, send: Send, done: Done) => void;
  /** What cancels others waits for the end of this. */
  readonly follow: (run: Promise<void>) => Promise<void>;
  /** Messages that are being read now. */
  readonly reading: ReadonlySet<Promise<void>>;
  readonly cancelUnread: (msg: NodeMessage, requests: readonly CancelRequest[]) => void;
  /** Counts people as under way, or, where it is negative, no longer. */
  readonly waits: (people: number) => void;
}

/** Rows that are read at once, where that needs promises. */
const MOST_READING = 250;

/** Sends lists of rows. */
export class RowsSender {
  readonly #runs = new Set<RowsRun>();

  constructor(
    private readonly RED: NodeAPI,
    private readonly parts: RowsParts,
  ) {}

  /** The list at a property of a message, if there are rows in it; else null. @param path without `msg.` */
  listOf(msg: NodeMessage, path: string): readonly unknown[] | null {
    const value = messageValue(this.RED, msg, path);
    return Array.isArray(value) && value.some(isRow) ? value : null;
  }

  /** Takes a message with a list. Waits for the account, so that it is sent no faster than it can leave. @param path of the list */
  take(msg: NodeMessage, list: readonly unknown[], path: string, send: Send, done: Done): void {
    const { setup, resultProperty, active, begin, follow } = this.parts;
    active.begin();
    const start = ({ reader }: Ready): void => {
      const clientMessageId = reader.messageProperty("clientMessageId");
      const places = { rows: path, result: resultProperty, clientMessageId };
      // From then on each row counts by itself.
      this.#start(msg, list, places, send, done, () => active.end());
    };
    const { opened } = setup;
    if (opened !== null) {
      start(opened);
      return;
    }
    // Without the account, the message is told what is wrong with the set-up.
    void follow(setup.ready().then(start, () => begin(msg, send, done)));
  }

  /** Sends each entry of a list. `allBegun` and `done` are called once: when all have begun, and when all have ended. */
  #start(
    msg: NodeMessage,
    list: readonly unknown[],
    places: RowPlaces,
    send: Send,
    done: Done,
    allBegun: () => void,
  ): void {
    const { node, activity, simulated, active, begin, cancelUnread, waits } = this.parts;
    const count = list.length;
    // A flow that goes on with the list must not change what is sent.
    const rows = new RowMessages(this.RED, msg, [...list], places);
    const progress = activity.begin(count, simulated);
    waits(count);
    const end: Done = (error) => {
      this.#runs.delete(run);
      done(error);
    };
    const run: RowsRun = new RowsRun(rows, count, send, end, progress, {
      node,
      begin: (row, sendRow, rowDone) => {
        active.begin();
        begin(row, sendRow, rowDone);
      },
      defers: (open, go) => this.#defers(run, open, go),
      cancelUnread,
      begun: () => waits(-1),
      allBegun,
    });
    this.#runs.add(run);
    run.next();
  }

  /** Cancels rows that have not begun. @returns whether there are lists under way */
  cancel(request: CancelRequest): boolean {
    for (const run of this.#runs) {
      run.cancel(request);
    }
    return this.#runs.size > 0;
  }

  /** Of an account that keeps messages, no further rows go into the store: those that are there end only when the account closes. */
  stop(): void {
    if (this.parts.link.outbox === null) {
      return;
    }
    const reason = new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    for (const run of this.#runs) {
      run.stop(reason);
    }
  }

  #defers(run: RowsRun, open: number, go: () => void): boolean {
    const { link, reading } = this.parts;
    if (reading.size >= MOST_READING) {
      void Promise.race(reading).then(go);
      return true;
    }
    if (open > 0 && link.outbox?.isFull === true) {
      // A row that ends makes room.
      run.onEnd(() => setImmediate(run.next));
      return true;
    }
    const waiting = link.queue;
    if (waiting?.isBacklogged()) {
      waiting.defer(go);
      return true;
    }
    return false;
  }
}
