import type { Node, NodeAPI, NodeMessage } from "node-red";
import { isSkipped, OUTCOMES } from "../../shared/outcomes";
import { sanitiseName } from "../../shared/sanitise-text";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import type { NodeActivity, SentFacts } from "../activity/node-activity";
import { OutcomeError } from "./outcome-error";
import type { CancelRequest } from "./read-cancel";
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
  /** Cancel messages that arrived before the row started. */
  readonly cancels?: readonly CancelRequest[];
}

/** Flows stopped; node removed or disabled; node and those behind it replaced. */
export type CloseReason = "stopped" | "removed" | "deployed";

/** Emits results through ports, or as errors without a wired port. Counts them for the log while closing. */
export class ResultOutlet {
  readonly #property: ResultProperty;
  #closing: CloseReason | null = null;
  readonly #unheard: SendResult[] = [];
  /** Results that Node-RED delivers in the next tick, unless the receiving node is closed by then. */
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
    if (this.#closing !== null) {
      this.#unheard.push(result);
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
    this.#report(
      "deployed",
      results.filter((result) => !portIsHeard(this.RED, this.node, this.#portOf(result))),
    );
  }

  /** From here on results are counted, because they may reach no node. */
  beginClosing(reason: CloseReason): void {
    this.#closing = reason;
    this.#unheard.push(...this.#onTheWire);
  }

  reportClosing(): void {
    if (this.#closing !== null) {
      this.#report(this.#closing, this.#unheard);
    }
  }

  /** Logs an error without `msg`, because Catch nodes may be closed already. */
  #report(reason: CloseReason, results: readonly SendResult[]): void {
    if (results.length > 0) {
      const name = sanitiseName(this.node.name || this.node.id);
      const outcomes = results.map(({ outcome }) => outcome);
      const n = [...new Set(outcomes)]
        .map((each) => `${formatNumber(outcomes.filter((outcome) => outcome === each).length)} × ${each}`)
        .join(", ");
      this.node.error(say(`send.closing.${reason}`, { n, name }));
    }
  }
}
