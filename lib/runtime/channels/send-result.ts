import type { OperationId } from "../../gateway/contract/operations";
import type { Verdict } from "../../gateway/codec/verdict";
import type { Outcome } from "../../shared/outcomes";

/** A file that was moved. */
export interface FileFacts {
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Where it was saved. */
  readonly path?: string;
}

/** What the result of a media node says besides. */
export interface TransferFacts {
  readonly mediaId?: string | null;
  readonly attachmentId?: string | number | null;
  readonly file?: FileFacts;
}

/** What a send node writes into its result property, one per batch. Part of the message contract. */
export interface SendResult extends TransferFacts {
  readonly operation: OperationId;
  readonly outcome: Outcome;
  /** null when the fault was found on this side or the service gave no code. */
  readonly statusCode: number | null;
  readonly statusName: string;
  readonly statusMessage: string;
  readonly advice: string;
  /** The field that is missing or wrong, where it is known. */
  readonly parameter: string | null;
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  readonly smsCount: number | null;
  readonly httpStatus: number | null;
  /** The recipients of this batch, as sent; of a local `rejected` one, as given. */
  readonly recipients: readonly string[];
  /** Requests made, 0 where none was. */
  readonly attempts: number;
  readonly source: "service" | "local";
  /** "partial" where the service made fewer SMS than there are recipients. */
  readonly warning?: "partial";
  readonly simulated: boolean;
}

export interface ResultContext {
  readonly operation: OperationId;
  readonly recipients: readonly string[];
  /** The id sent along; null where nothing was to be sent. */
  readonly clientMessageId: string | null;
  /** The field at fault, where this side found it. */
  readonly parameter: string | null;
  readonly test: boolean;
  readonly simulated: boolean;
  /** Of a file that was moved. */
  readonly transfer: TransferFacts | null;
}

/** Whether the service did what was asked for. */
export const isAccepted = ({ outcome }: Pick<Verdict, "outcome">): boolean =>
  outcome === "sent" || outcome === "queued";

/** Puts what is known of a batch into the result that the flow sees. */
export function sendResult(verdict: Verdict, context: ResultContext): SendResult {
  const { recipients, simulated, operation } = context;
  const accepted = isAccepted(verdict);
  // A simulated send makes no SMS, so their number says nothing.
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
