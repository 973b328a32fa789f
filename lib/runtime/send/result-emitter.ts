import type { Node, NodeAPI, NodeMessage } from "node-red";
import { fieldVerdict, type Verdict } from "../../gateway/codec/verdict";
import type { OperationId } from "../../gateway/contract/operations";
import type { FieldError } from "../../shared/messaging-error";
import { isSkipped, OUTCOMES } from "../../shared/outcomes";
import { sanitiseName } from "../../shared/sanitise-text";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import type { LastResults } from "../results/last-results";
import type { ChannelDefinition } from "../channels/channel-definition";
import { isAccepted, type SendResult, sendResult } from "../channels/send-result";
import type { FieldValues } from "../fields/field-reader";
import { messageValue } from "../fields/message-value";
import { ResultProperty } from "../node-red/result-property";
import { isSensitive } from "../node-red/sensitive";
import { isPortWired } from "../node-red/wiring";
import type { StatusBadge } from "./badge/status-badge";
import type { JobOutput } from "./jobs/job-output";
import type { Send } from "./message-end";
import { OutcomeError } from "./outcome-error";
import type { Part } from "./parts/message-parts";
import { countLoops, withLoops } from "./loop-count";
import type { SendSetup } from "./send-setup";

interface ResultOrigin {
  /** True if the process that accepted the message has ended. */
  readonly restored?: boolean;
  /** Epoch ms; absent for now or unknown. */
  readonly answeredAt?: number | undefined;
}

interface SentFacts {
  /** Epoch ms of the response; absent for now. */
  readonly answeredAt?: number | undefined;
  /** Epoch ms at which the limit ends that blocked it. */
  readonly limitEnds?: number | null;
}

/** Flows stopped; node removed or disabled; node and those behind it replaced. */
export type CloseReason = "stopped" | "removed" | "deployed";

/** Emits results through ports, or as errors without a wired port. Counts them for the log while closing. */
export class ResultEmitter {
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
    private readonly last: LastResults,
    private readonly channel: ChannelDefinition,
    private readonly ports: 4 | 6,
    private readonly resultProperty: string,
    private readonly setup: SendSetup,
  ) {
    this.#property = new ResultProperty(RED, node, resultProperty, "result", ({ property }) =>
      say("send.result-elsewhere", { property }),
    );
  }

  /** Returns the error for `done`. With several parts, errors are raised here with the part's message. */
  deliver(
    job: JobOutput,
    part: Part,
    verdict: Verdict,
    send = job.send,
    origin: ResultOrigin = {},
  ): Error | null {
    const { prepared } = job;
    const clientMessageId = this.#getId(job, part);
    const message = job.message(part, clientMessageId);
    const transfer = prepared?.finish(message, verdict, isAccepted(verdict)) ?? null;
    const operation = part.operation ?? job.operation;
    if (operation === "whatsapp-template" && isAccepted(verdict)) {
      this.#remember(job);
    }
    const result = sendResult(this.#advised(operation, verdict), {
      operation,
      recipients: part.recipients,
      clientMessageId,
      parameter: null,
      transfer,
      test: job.test,
      simulated: this.setup.simulated,
    });
    const emitted = origin.restored ? { ...result, restored: true as const } : result;
    const { limitEnds } = verdict;
    const facts = { answeredAt: origin.answeredAt, limitEnds };
    const error = this.#emit(message, emitted, send, facts);
    if (error !== null && (job.stamp !== null || part.late !== undefined)) {
      this.node.error(error, message);
      return null;
    }
    return error;
  }

  #getId(job: JobOutput, part: Part): string | null {
    if (part.late !== undefined) {
      return part.late.clientMessageId;
    }
    return part.fault === null && job.prepared === null ? job.idOf(part) : null;
  }

  #remember(job: JobOutput): void {
    const { templateName, templateLocale } = job.template ?? {};
    if (typeof templateName === "string" && typeof templateLocale === "string") {
      this.setup.account?.templates.add(templateName, templateLocale);
    }
  }

  /** For a template that only the simulator lacks, the advice is how to add it. */
  #advised(operation: string, verdict: Verdict): Verdict {
    const isUnknown = operation === "whatsapp-template" && verdict.statusCode === 4028;
    return this.setup.simulated && isUnknown ? { ...verdict, advice: say("send.own-template") } : verdict;
  }

  verdictOf(error: FieldError, { row, person = null }: Pick<Send, "row" | "person">): Verdict {
    const verdict = fieldVerdict(error.named(this.setup.names));
    const problem = verdict.statusMessage;
    if (row === undefined) {
      return person === null
        ? verdict
        : { ...verdict, statusMessage: say("send.rows.alone", { problem, name: person }) };
    }
    const values = { row: row + 1, problem };
    const statusMessage =
      person === null ? say("send.rows.at", values) : say("send.rows.named", { ...values, name: person });
    return { ...verdict, statusMessage };
  }

  /** Rejects a whole message for an invalid field. @returns the error for `done` */
  reject(
    msg: NodeMessage,
    send: Send,
    operation: OperationId,
    values: FieldValues,
    error: FieldError,
    recipients: readonly string[] = [],
  ): Error | null {
    const verdict = this.verdictOf(error, send);
    this.badge.begin(1);
    return this.#emit(
      msg,
      sendResult(verdict, {
        operation,
        recipients,
        clientMessageId: typeof values.clientMessageId === "string" ? values.clientMessageId : null,
        parameter: error.field,
        transfer: null,
        test: values.test === true,
        simulated: this.setup.simulated,
      }),
      send,
    );
  }

  /** Emits a result. @returns the error of an unwired failure, or null */
  #emit(message: NodeMessage, emitted: SendResult, send: Send, facts: SentFacts = {}): OutcomeError | null {
    const { failure } = OUTCOMES[emitted.outcome];
    const result = failure ? withLoops(emitted, this.#resultIn(message), this.node.id) : emitted;
    this.#property.put(message, result);
    this.badge.end(result, facts.limitEnds);
    this.last.note(result, facts.answeredAt ?? Date.now(), message._msgid);
    const port = this.#getPort(result);
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
    return this.#isError(result) && !isPortWired(this.RED, this.node, port)
      ? new OutcomeError(this.channel.label, result, isSensitive(message), this.setup.names)
      : null;
  }

  #isError({ outcome, statusName }: SendResult): boolean {
    const includesSkipped = this.setup.account?.skippedErrors ?? false;
    return OUTCOMES[outcome].failure && (includesSkipped || !isSkipped(statusName));
  }

  pass(message: NodeMessage, send: Send): void {
    send([...Array.from({ length: this.ports }, () => null), message]);
  }

  #getPort({ outcome }: SendResult): number {
    const { portOf4, portOf6 } = OUTCOMES[outcome];
    return this.ports === 6 ? portOf6 : portOf4;
  }

  #resultIn(message: NodeMessage): unknown {
    return messageValue(this.RED, message, this.resultProperty);
  }

  /** Counts how often this node has failed to send a returned message. */
  countLoops(message: NodeMessage): number {
    return countLoops(this.#resultIn(message), this.node.id);
  }

  get onTheWire(): readonly SendResult[] {
    return this.#onTheWire;
  }

  reportUndelivered(results: readonly SendResult[]): void {
    this.#report(
      "deployed",
      results.filter((result) => !isPortWired(this.RED, this.node, this.#getPort(result))),
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
