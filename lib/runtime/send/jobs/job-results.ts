import type { Node, NodeMessage } from "node-red";
import { fieldVerdict, type Verdict } from "../../../gateway/codec/verdict";
import type { OperationId } from "../../../gateway/contract/operations";
import type { FieldError } from "../../../shared/messaging-error";
import { say } from "../../../texts/say";
import type { ChannelDefinition } from "../../channels/channel-definition";
import { isAccepted, sendResult } from "../../channels/send-result";
import type { FieldValues } from "../../fields/field-reader";
import type { Part } from "../parts/message-parts";
import type { ResultOutlet, Send } from "../result-outlet";
import type { JobOutput } from "./job-output";
import type { SendSetup } from "../send-setup";
import type { StatusBadge } from "../badge/status-badge";

interface ResultOrigin {
  /** True if the process that accepted the message has ended. */
  readonly restored?: boolean;
  /** Epoch ms; absent for now or unknown. */
  readonly answeredAt?: number | undefined;
}

export class JobResults {
  constructor(
    private readonly node: Node,
    private readonly outlet: ResultOutlet,
    private readonly badge: StatusBadge,
    private readonly setup: SendSetup,
    private readonly channel: ChannelDefinition,
  ) {}

  /** Returns the error for `done`. With several parts, errors are raised here with the part's message. */
  deliver(
    job: JobOutput,
    part: Part,
    verdict: Verdict,
    send = job.send,
    origin: ResultOrigin = {},
  ): Error | null {
    const { prepared } = job;
    const clientMessageId = this.#idOf(job, part);
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
    const facts = { answeredAt: origin.answeredAt, spoken: job.spoken, limitEnds };
    const error = this.outlet.emit(message, emitted, send, facts);
    if (error !== null && (job.stamp !== null || part.late !== undefined)) {
      this.node.error(error, message);
      return null;
    }
    return error;
  }

  #idOf(job: JobOutput, part: Part): string | null {
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
    return this.outlet.emit(
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
      { spoken: this.channel.isSpoken?.(values) ?? false },
    );
  }
}
