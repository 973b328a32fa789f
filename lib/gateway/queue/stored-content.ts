import type { Outcome } from "../../shared/outcomes";
import { localVerdict, getCodeVerdict, type Verdict } from "../codec/verdict";
import { LOCAL_FAULTS, PROVEN } from "../contract/local-outcomes";
import { OPERATIONS, type OperationId } from "../contract/operations";
import { getAdvice, getMeaning } from "../contract/outcome-texts";
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
}

/** The part of a text in brackets behind what the code says. */
const SAID = "said";

/** What an answer has where neither its code says something else nor anything is stored. */
const INITIAL: StoredAnswer = {
  outcome: "unknown",
  statusCode: null,
  statusName: "",
  fault: null,
  statusMessage: "",
  advice: "",
  retry: "never",
  throttle: "none",
  stopped: null,
  parameter: null,
  smsCount: null,
  httpStatus: null,
  source: "service",
  retryAfter: null,
  limitEnds: null,
  data: null,
  test: false,
};
/** What is stored of a verdict where it is not as its code says. Of its message only what the code does not say. */
const COMPARED = (Object.keys(INITIAL) as (keyof StoredAnswer)[]).filter(
  (key): key is Exclude<keyof StoredAnswer, "statusMessage" | "test"> =>
    key !== "statusMessage" && key !== "test",
);

/** What is stored of a verdict, as JSON for `readStoredAnswer`. Nearly always the code says all but a few numbers. */
export function answerOf(operation: string, verdict: Verdict, test: boolean): string {
  const said: Partial<StoredAnswer> = getCodeVerdict(operation, verdict) ?? INITIAL;
  const { statusMessage = "" } = said;
  const stored: Record<string, unknown> = {};
  for (const key of COMPARED) {
    if (verdict[key] !== (said[key] ?? INITIAL[key])) {
      stored[key] = verdict[key];
    }
  }
  if (test) {
    stored.test = true;
  }
  const message = masked(verdict.statusMessage);
  const isMore = statusMessage !== "" && message.startsWith(`${statusMessage} (`) && message.endsWith(")");
  if (isMore) {
    stored[SAID] = message.slice(statusMessage.length + 2, -1);
  } else if (message !== statusMessage) {
    stored.statusMessage = message;
  }
  return JSON.stringify(stored);
}

/** The columns of a request that its answer is read with. */
export interface AnswerColumns {
  readonly operation: string;
  readonly transferId: string | null;
  /** JSON. */
  readonly answer: string;
}

/** What was stored, with what its code says. @throws Error for what is damaged */
export function readStoredAnswer({ operation, transferId, answer }: AnswerColumns): Partial<StoredAnswer> {
  const { [SAID]: more, ...stored } = JSON.parse(answer) as Partial<StoredAnswer> & {
    readonly said?: string;
  };
  const { httpStatus = null, outcome = "unknown" } = stored;
  const fault = stored.fault != null && stored.fault in LOCAL_FAULTS ? stored.fault : null;
  const statusCode = typeof stored.statusCode === "number" ? stored.statusCode : null;
  const said = getCodeVerdict(operation, { fault, statusCode, httpStatus, transferId, outcome });
  const statusMessage = `${said?.statusMessage} (${more})`;
  return { ...said, ...(more === undefined ? {} : { statusMessage }), ...stored };
}

/** The columns of a settled request that a verdict is made of again. */
export interface SettledColumns extends Omit<AnswerColumns, "answer"> {
  readonly outcome: Outcome | null;
  readonly attempts: number;
  readonly answer: string | null;
}

/** The verdict that was stored. Without an answer its process ended while it was being sent, or before, with its text. */
export function settledVerdict({
  operation,
  answer,
  outcome,
  transferId,
  attempts,
}: SettledColumns): Verdict {
  if (answer === null) {
    if (outcome === "retry-later") {
      return localVerdict("TEXT_NOT_STORED", "", attempts);
    }
    const ended = { ...localVerdict("PROCESS_ENDED", "", Math.max(1, attempts)), transferId };
    return outcome === "sent" ? provenVerdict(ended) : ended;
  }
  const { test: _, ...stored } = {
    ...INITIAL,
    ...readStoredAnswer({ operation, transferId, answer }),
  };
  const verdict: Verdict = { ...stored, transferId, attempts, clientMessageId: null };
  return outcome === "sent" && stored.outcome === "unknown" ? provenVerdict(verdict) : verdict;
}

/** An unknown outcome of which an event has proved that the service took the message. */
export function provenVerdict(unknown: Verdict): Verdict {
  const { name, outcome, retry } = PROVEN;
  const fault = null;
  const statusMessage = getMeaning(PROVEN);
  return { ...unknown, outcome, retry, fault, statusName: name, statusMessage, advice: getAdvice(PROVEN) };
}
