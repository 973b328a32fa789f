import type { Node, NodeAPI, NodeMessage } from "node-red";
import { OUTCOMES } from "../../shared/outcomes";
import { sanitiseName } from "../../shared/sanitise-text";
import { CloseReport } from "./close-report";
import type { NodeActivity } from "../activity/node-activity";
import { OutcomeError } from "./outcome-error";
import { isSimpleProperty } from "../fields/simple-property";
import type { SendResult } from "../channels/send-result";
import type { StatusBadge } from "./status-badge";
import { portIsHeard } from "../node-red/wiring";

export type Send = (messages: (NodeMessage | null)[]) => void;

/** Where results leave a send node: by port, by error where the port leads nowhere, by log while closing. */
export class ResultOutlet {
  readonly #report = new CloseReport();
  readonly #plain: boolean;
  #closing = false;
  /** Results that Node-RED delivers with the next turn, unless whoever they go to is closed by then. */
  #onTheWire: SendResult[] = [];

  /** @param resultProperty path in `msg` without `msg.` */
  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly badge: StatusBadge,
    private readonly activity: NodeActivity,
    private readonly label: string,
    private readonly ports: 4 | 6,
    private readonly resultProperty: string,
  ) {
    this.#plain = isSimpleProperty(resultProperty);
  }

  /**
   * Emits one result with its message.
   * @returns the error to raise where nobody is wired to its port, else null
   */
  emit(message: NodeMessage, result: SendResult, send: Send): OutcomeError | null {
    this.#place(message, result);
    this.badge.end(result.outcome);
    this.activity.sent(result);
    const port = this.#portOf(result);
    const leaving: (NodeMessage | null)[] = [];
    for (let at = 0; at < port; at++) {
      leaving.push(null);
    }
    leaving.push(message);
    send(leaving);
    if (this.#closing) {
      this.#report.add(result);
      return null;
    }
    if (this.#onTheWire.push(result) === 1) {
      setImmediate(() => {
        this.#onTheWire = [];
      });
    }
    return OUTCOMES[result.outcome].failure && !portIsHeard(this.RED, this.node, port)
      ? new OutcomeError(this.label, result)
      : null;
  }

  #portOf({ outcome }: SendResult): number {
    const { portOf4, portOf6 } = OUTCOMES[outcome];
    return this.ports === 6 ? portOf6 : portOf4;
  }

  #place(message: NodeMessage, result: SendResult): void {
    if (this.#plain) {
      message[this.resultProperty] = result;
      return;
    }
    // The types say void; a path that leads through a text or number is refused with false.
    const placed: unknown = this.RED.util.setMessageProperty(message, this.resultProperty, result, true);
    if (placed === false) {
      message.result = result;
      this.node.warn(
        `msg.${sanitiseName(this.resultProperty)} cannot hold the result of this message, so it stands in msg.result.`,
      );
    }
  }

  /** Results that are not delivered yet; after the next turn they are, or never will be. */
  get onTheWire(): readonly SendResult[] {
    return this.#onTheWire;
  }

  /** Writes down which of these went to nodes that were closed before they arrived. */
  reportUndelivered(results: readonly SendResult[]): void {
    const report = new CloseReport();
    for (const result of results) {
      if (!portIsHeard(this.RED, this.node, this.#portOf(result))) {
        report.add(result);
      }
    }
    this.#write(report);
  }

  /** From now on the log is told too: what leaves may reach nobody. */
  beginClosing(): void {
    this.#closing = true;
    for (const result of this.#onTheWire) {
      this.#report.add(result);
    }
  }

  /** Writes what happened while closing; an error without `msg`, since no Catch node is sure to run. */
  reportClosing(): void {
    this.#write(this.#report);
  }

  #write(report: CloseReport): void {
    for (const line of report.lines()) {
      this.node.error(line);
    }
  }
}
