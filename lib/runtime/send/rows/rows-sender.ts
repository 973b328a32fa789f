import type { Node, NodeAPI, NodeMessage } from "node-red";
import { isRow } from "../../../shared/personal-text/row-number";
import type { SetupError } from "../../../shared/messaging-error";
import type { NodeActivity } from "../../activity/node-activity";
import { messageValue } from "../../fields/personal-field";
import type { Done } from "../message-end";
import type { CancelRequest } from "../read-cancel";
import type { Send } from "../result-outlet";
import { RowMessages, type RowPlaces } from "./row-messages";
import { RowsRun } from "./rows-run";

/** What sending rows needs of its node. */
export interface RowsParts {
  readonly node: Node;
  readonly activity: NodeActivity;
  /** Whether the account's service is the built-in simulator. */
  readonly simulated: boolean;
  readonly begin: (msg: NodeMessage, send: Send, done: Done) => void;
  /** Where messages wait; null before the account is open, or where nothing waits. */
  readonly queue: () => {
    readonly isBacklogged: () => boolean;
    readonly defer: (start: () => void) => void;
  } | null;
  /** Whether as many messages wait as the account may have waiting. */
  readonly isFull: () => boolean;
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

  /** Sends each entry of a list. `allBegun` and `done` are called once: when all have begun, and when all have ended. */
  start(
    msg: NodeMessage,
    list: readonly unknown[],
    places: RowPlaces,
    send: Send,
    done: Done,
    allBegun: () => void,
  ): void {
    const { node, activity, simulated, begin, cancelUnread, waits } = this.parts;
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
      begin,
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

  /** Begins no further rows, for this reason. */
  stop(reason: SetupError): void {
    for (const run of this.#runs) {
      run.stop(reason);
    }
  }

  #defers(run: RowsRun, open: number, go: () => void): boolean {
    const { queue, isFull, reading } = this.parts;
    if (reading.size >= MOST_READING) {
      void Promise.race(reading).then(go);
      return true;
    }
    if (open > 0 && isFull()) {
      // A row that ends makes room.
      run.onEnd(() => setImmediate(run.next));
      return true;
    }
    const waiting = queue();
    if (waiting?.isBacklogged()) {
      waiting.defer(go);
      return true;
    }
    return false;
  }
}
