import type { OperationId } from "../../gateway/contract/operations";
import type { Verdict } from "../../gateway/codec/verdict";
import { OUTCOMES, type Outcome } from "../../shared/outcomes";

/** What became of a file that was transferred: written to a folder, given to the flow, or given to the service. */
export type FileDone = "saved" | "downloaded" | "uploaded";

export interface FileFacts {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly path?: string;
}

export interface TransferFacts {
  readonly mediaId?: string | null;
  readonly attachmentId?: string | number | null;
  readonly file?: FileFacts;
}

/** The result of one request, which a send node writes into the result property. Part of the message contract. */
export interface SendResult extends TransferFacts {
  readonly operation: OperationId;
  readonly outcome: Outcome;
  /** Null for a local error and for a response without a code. */
  readonly statusCode: number | null;
  readonly statusName: string;
  readonly statusMessage: string;
  readonly advice: string;
  readonly parameter: string | null;
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  readonly smsCount: number | null;
  readonly httpStatus: number | null;
  /** As sent; those of a local `rejected` result, as given. */
  readonly recipients: readonly string[];
  readonly attempts: number;
  readonly source: "service" | "local";
  /** "partial" if the service made fewer SMS than there are recipients. */
  readonly warning?: "partial";
  readonly simulated: boolean;
  /** Present after a restart of Node-RED: the node may have emitted the result before. */
  readonly restored?: true;
}

export interface ResultContext {
  readonly operation: OperationId;
  readonly recipients: readonly string[];
  readonly clientMessageId: string | null;
  readonly parameter: string | null;
  readonly test: boolean;
  readonly simulated: boolean;
  readonly transfer: TransferFacts | null;
}

export function fileDone({
  operation,
  outcome,
  file,
}: Pick<SendResult, "operation" | "outcome" | "file">): FileDone | null {
  if (OUTCOMES[outcome].failure) {
    return null;
  }
  switch (operation) {
    case "media-download":
      return file?.path === undefined ? "downloaded" : "saved";
    case "media-upload":
    case "attachment-create":
      return "uploaded";
    default:
      return null;
  }
}

export const isAccepted = ({ outcome }: Pick<Verdict, "outcome">): boolean => !OUTCOMES[outcome].failure;

export function sendResult(verdict: Verdict, context: ResultContext): SendResult {
  const { recipients, simulated, operation } = context;
  const accepted = isAccepted(verdict);
  // A simulated send makes no SMS, so its `smsCount` means nothing.
  const partial =
    accepted && !context.test && verdict.smsCount !== null && verdict.smsCount < recipients.length;
  const result: SendResult = {
    operation,
    outcome: verdict.outcome,
    statusCode: verdict.statusCode,
    statusName: verdict.statusName,
    statusMessage: verdict.statusMessage,
    advice: verdict.advice,
    parameter: verdict.parameter ?? context.parameter,
    transferId: verdict.transferId,
    clientMessageId: context.clientMessageId ?? verdict.clientMessageId,
    smsCount: verdict.smsCount,
    httpStatus: verdict.httpStatus,
    recipients,
    attempts: verdict.attempts,
    source: verdict.source,
    simulated,
  };
  return partial || context.transfer !== null
    ? { ...result, ...(partial && { warning: "partial" }), ...context.transfer }
    : result;
}
