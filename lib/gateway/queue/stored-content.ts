import type { Outcome } from "../../shared/outcomes";
import { isUnanswered } from "../../store/unanswered";
import { localVerdict, type Verdict } from "../codec/verdict";
import { PROVEN } from "../contract/local-outcomes";
import { OPERATIONS, type OperationId } from "../contract/operations";
import { adviceOf, meaningOf } from "../contract/outcome-texts";
import type { Batch } from "./queue-handle";

/** What a stored request is made of again. */
export interface StoredParts {
  readonly operation: string;
  readonly clientMessageId: string | null;
  readonly content: string;
  readonly recipients: readonly string[];
}

/** The fields of a batch as JSON, without recipients and client message id, which the store has in columns. */
export function contentOf({ operation, fields }: Batch): string {
  const { recipients } = OPERATIONS[operation];
  const rest: Record<string, unknown> = { ...fields, clientMessageId: undefined };
  if (recipients !== null) {
    rest[recipients.field] = undefined;
  }
  return JSON.stringify(rest);
}

const FAULT = "$verdict";

/** The content of a part that is not sent, because its recipients are wrong for example. */
export const faultContent = (verdict: Verdict): string => JSON.stringify({ [FAULT]: verdict });

/** Whether a content is of a part that is not sent. */
export const isFaultContent = (content: string): boolean => content.startsWith(`{"${FAULT}"`);

/** The numbers of a request as its operation writes them. @param digits without a plus */
export function writeRecipients(operation: OperationId, digits: readonly string[]): unknown {
  const { recipients } = OPERATIONS[operation];
  const numbers = recipients?.plus ? digits.map((each) => `+${each}`) : digits;
  return recipients?.many ? numbers : numbers[0];
}

/** The batch that was stored, or the verdict of a part that is not sent. */
export function readContent({
  operation,
  clientMessageId,
  content,
  recipients,
}: StoredParts): Batch | Verdict {
  if (!(operation in OPERATIONS)) {
    return localVerdict("INTERNAL_FAULT", operation);
  }
  const id = operation as OperationId;
  const fields = JSON.parse(content) as Record<string, unknown>;
  const fault = fields[FAULT];
  if (fault !== undefined) {
    return fault as Verdict;
  }
  const { recipients: field } = OPERATIONS[id];
  if (field !== null) {
    fields[field.field] = writeRecipients(id, recipients);
  }
  if (clientMessageId !== null) {
    fields.clientMessageId = clientMessageId;
  }
  return { operation: id, fields };
}

/** Digits in a row that may be a number of a person. */
const NUMBER = /\d{7,}/g;
const masked = (text: string): string => text.replace(NUMBER, (digits) => `•••${digits.slice(-2)}`);

/** What the ledger keeps of a verdict beside its columns: no numbers of people, no texts of messages. */
export interface StoredAnswer extends Omit<Verdict, "transferId" | "clientMessageId" | "attempts"> {
  /** Whether the service only simulated the send. */
  readonly test: boolean;
  /** Whether the service was the built-in simulator. */
  readonly simulated: boolean;
}

/** @returns a `StoredAnswer` as JSON */
export function answerOf(verdict: Verdict, test: boolean, simulated: boolean): string {
  // Written out: what a spread makes has a hash table of its own, for each message.
  const answer: StoredAnswer = {
    outcome: verdict.outcome,
    statusCode: verdict.statusCode,
    statusName: verdict.statusName,
    fault: verdict.fault,
    statusMessage: masked(verdict.statusMessage),
    advice: verdict.advice,
    retry: verdict.retry,
    throttle: verdict.throttle,
    stopped: verdict.stopped,
    parameter: verdict.parameter,
    smsCount: verdict.smsCount,
    httpStatus: verdict.httpStatus,
    source: verdict.source,
    retryAfter: verdict.retryAfter,
    data: verdict.data,
    test,
    simulated,
  };
  return JSON.stringify(answer);
}

/** The columns of a settled request that a verdict is made of again. */
export interface SettledColumns {
  readonly outcome: Outcome | null;
  readonly transferId: string | null;
  readonly attempts: number;
  readonly answer: string | null;
}

/** The verdict that was stored. Without an answer its process ended while it was being sent. */
export function readAnswer({ answer, outcome, transferId, attempts }: SettledColumns): Verdict {
  if (answer === null || isUnanswered(answer)) {
    const ended = { ...localVerdict("PROCESS_ENDED", "", Math.max(1, attempts)), transferId };
    return outcome === "sent" ? provenVerdict(ended) : ended;
  }
  const { test: _, simulated: _2, ...stored } = JSON.parse(answer) as StoredAnswer;
  const verdict: Verdict = { ...stored, transferId, attempts, clientMessageId: null };
  return outcome === "sent" && stored.outcome === "unknown" ? provenVerdict(verdict) : verdict;
}

/** An unknown outcome of which an event has proved that the service took the message. */
export function provenVerdict(unknown: Verdict): Verdict {
  const { name, outcome, retry } = PROVEN;
  const fault = null;
  const statusMessage = meaningOf(PROVEN);
  return { ...unknown, outcome, retry, fault, statusName: name, statusMessage, advice: adviceOf(PROVEN) };
}
