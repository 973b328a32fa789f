import type { Node, NodeAPI, NodeMessage } from "node-red";
import { isSkipped, OUTCOMES } from "../../shared/outcomes";
import { say } from "../../texts/say";
import { type CloseReason, CloseReport } from "./close-report";
import type { NodeActivity, SentFacts } from "../activity/node-activity";
import { OutcomeError } from "./outcome-error";
import { messageValue } from "../fields/message-value";
import type { SendResult } from "../channels/send-result";
import type { SendSetup } from "./send-setup";
import type { StatusBadge } from "./badge/status-badge";
import { roundsOf, withRounds } from "./rounds";
import { ResultProperty } from "../node-red/result-property";
import { isSensitive } from "../node-red/sensitive";
import { portIsHeard } from "../node-red/wiring";

export interface Send {
  (messages: (NodeMessage | null)[]): void;
  /** Index in the list, from 0, of a row. */
  readonly row?: number;
  /** Name of the row's recipient or null; absent if the message is no row. */
  readonly person?: string | null;
}

/** Emits results through ports, as errors without a wired port, in the log while closing. */
export class ResultOutlet {
  #report: CloseReport;
  readonly #property: ResultProperty;
  #closing = false;
  /** Node-RED delivers these in the next tick, unless the receiving node is closed by then. */
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
    private readonly setup: Pick<SendSetup, "names" | "account">,
  ) {
    this.#report = this.#newReport("stopped");
    this.#property = new ResultProperty(RED, node, resultProperty, "result", ({ property }) =>
      say("send.result-elsewhere", { property }),
    );
  }

  /** Emits a result. @param facts of the activity; a missing time is now @returns the error of an unwired failure, or null */
  emit(message: NodeMessage, told: SendResult, send: Send, facts: SentFacts = {}): OutcomeError | null {
    const { failure } = OUTCOMES[told.outcome];
    const result = failure ? withRounds(told, this.#resultIn(message), this.node.id) : told;
    this.#property.put(message, result);
    this.badge.end(result, facts.limitEnds);
    this.activity.sent(result, facts, message._msgid);
    const port = this.#portOf(result);
    send([...Array.from({ length: port }, () => null), message]);
    if (this.#closing) {
      this.#report.add(result);
      return null;
    }
    if (this.#onTheWire.push(result) === 1) {
      setImmediate(() => {
        this.#onTheWire = [];
      });
    }
    return this.#isError(result) && !portIsHeard(this.RED, this.node, port)
      ? new OutcomeError(this.label, result, isSensitive(message), this.setup.names)
      : null;
  }

  #isError({ outcome, statusName }: SendResult): boolean {
    const includesSkipped = this.setup.account?.skippedErrors ?? false;
    return OUTCOMES[outcome].failure && (includesSkipped || !isSkipped(statusName));
  }

  pass(message: NodeMessage, send: Send): void {
    send([...Array.from({ length: this.ports }, () => null), message]);
  }

  #portOf({ outcome }: SendResult): number {
    const { portOf4, portOf6 } = OUTCOMES[outcome];
    return this.ports === 6 ? portOf6 : portOf4;
  }

  #resultIn(message: NodeMessage): unknown {
    return messageValue(this.RED, message, this.resultProperty);
  }

  /** Counts how often this node has failed to send a returned message. */
  roundsOf(message: NodeMessage): number {
    return roundsOf(this.#resultIn(message), this.node.id);
  }

  get onTheWire(): readonly SendResult[] {
    return this.#onTheWire;
  }

  reportUndelivered(results: readonly SendResult[]): void {
    const report = this.#newReport("deployed");
    for (const result of results) {
      if (!portIsHeard(this.RED, this.node, this.#portOf(result))) {
        report.add(result);
      }
    }
    this.#write(report);
  }

  /** From here on results also go into the closing report, because they may reach no node. */
  beginClosing(reason: CloseReason): void {
    this.#closing = true;
    this.#report = this.#newReport(reason);
    for (const result of this.#onTheWire) {
      this.#report.add(result);
    }
  }

  /** Logs errors without `msg`, because Catch nodes may be closed already. */
  reportClosing(): void {
    this.#write(this.#report);
  }

  #newReport(reason: CloseReason): CloseReport {
    return new CloseReport(reason, this.node.name || this.node.id);
  }

  #write(report: CloseReport): void {
    for (const line of report.lines()) {
      this.node.error(line);
    }
  }
}
