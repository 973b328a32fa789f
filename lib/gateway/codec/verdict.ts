import {
  type ContentGroup,
  findStatusCode,
  OUTCOMES,
  type Outcome,
  type Retry,
  type StatusCode,
  type Throttle,
} from "../../shared/outcomes";
import {
  findBareStatus,
  LOCAL_FAULTS,
  type LocalFault,
  type LocalOutcome,
  MOVED_FILE,
  unlistedCode,
} from "../contract/local-outcomes";
import { adviceOf, meaningOf, type OutcomeRow } from "../contract/outcome-texts";
import type { FieldError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { say } from "../../texts/say";
import type { Exchange, HttpAnswer } from "../http/exchange";
import { type Operation, OPERATIONS, type OperationId } from "../contract/operations";
import { type ReadAnswer, readAnswer, readRetryAfter } from "./read-answer";

/** The result of one request: exactly one outcome, and what is known about it. */
export interface Verdict {
  readonly outcome: Outcome;
  /** The service's own code; null where it gave none or we found the fault. */
  readonly statusCode: number | null;
  readonly statusName: string;
  /** The fault found on this side, also in an answer; null where an answer of the service decided. */
  readonly fault: LocalFault | null;
  readonly statusMessage: string;
  readonly advice: string;
  /** From the row of the outcome tables; `reads` becomes `back-off` for a read. */
  readonly retry: Retry;
  readonly throttle: Throttle;
  /** For a request that its node stopped: whether that was before or after it left. */
  readonly stopped: LocalOutcome["stopped"];
  /** The parameter that a 4019 names. */
  readonly parameter: string | null;
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  readonly smsCount: number | null;
  readonly httpStatus: number | null;
  /** Tries made for it, those that never reached a connection included; 0 where none was. */
  readonly attempts: number;
  readonly source: "service" | "local";
  /** ms that the service asks to wait. */
  readonly retryAfter: number | null;
  /** Of a limit of this side that is reached, epoch ms at which it ends; else null. */
  readonly limitEnds: number | null;
  /** What the operation returns besides, for example an attachmentId. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

const EMPTY = {
  statusCode: null,
  parameter: null,
  transferId: null,
  clientMessageId: null,
  smsCount: null,
  httpStatus: null,
  attempts: 0,
  retryAfter: null,
  limitEnds: null,
  data: null,
} as const;

/** Characters of a message of the service, or of the detail of a fault. */
export const LONGEST_MESSAGE = 1_000;

/** The verdict of a fault on this side. `detail` is added to the meaning in brackets. */
export function localVerdict(fault: LocalFault, detail = "", attempts = 0): Verdict {
  const row = LOCAL_FAULTS[fault];
  const { name, outcome, retry, throttle, stopped } = row;
  const meaning = meaningOf(row);
  return {
    ...EMPTY,
    outcome,
    retry,
    throttle,
    stopped,
    statusName: name,
    fault,
    statusMessage: detail === "" ? meaning : `${meaning} (${sanitiseText(detail, LONGEST_MESSAGE)})`,
    advice: adviceOf(row),
    attempts,
    source: "local",
  };
}

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The verdict on a message with a wrong field, which it names. Sending has no use for a message that is not known. */
export const fieldVerdict = ({ code, message }: FieldError): Verdict => ({
  ...localVerdict(code === "UNKNOWN_MESSAGE" ? "FIELD_INVALID" : code),
  statusMessage: asSentence(sanitiseText(message, LONGEST_MESSAGE)),
});

/** What decides the row of the outcome tables. */
type Code = Pick<Verdict, "fault" | "statusCode" | "httpStatus" | "transferId" | "outcome">;

/** The row of the outcome tables that a verdict was made of. */
function rowOf(operation: string, { fault, statusCode, httpStatus, transferId, outcome }: Code): OutcomeRow {
  if (fault !== null) {
    return LOCAL_FAULTS[fault];
  }
  if (statusCode !== null) {
    const style = operation in OPERATIONS ? OPERATIONS[operation as OperationId].style : "legacy";
    return findStatusCode(style, statusCode, transferId !== null) ?? unlistedCode(statusCode);
  }
  return findBareStatus(httpStatus ?? 0, outcome === "retry-later");
}

/** What a code or a fault says of a verdict, in the words of now. */
type Said = Pick<
  Verdict,
  "outcome" | "statusName" | "statusMessage" | "advice" | "retry" | "throttle" | "stopped" | "source"
>;

/** The group of operations whose own meaning a row has, where it has one for it. */
const narrowerGroup = (
  { narrower }: Pick<StatusCode, "narrower">,
  group: ContentGroup | null,
): ContentGroup | undefined => (group !== null && narrower?.includes(group) ? group : undefined);

/** What follows from a fault, or a status code of the service, alone. @param operation id of an operation @returns null where there is neither */
export function saidByCode(operation: string, code: Code): Said | null {
  const { fault, statusCode } = code;
  if (fault === null && statusCode === null) {
    return null;
  }
  const row = rowOf(operation, code) as Meaning;
  const group = operation in OPERATIONS ? OPERATIONS[operation as OperationId].contentGroup : null;
  return {
    outcome: row.outcome,
    statusName: row.name,
    statusMessage: meaningOf(row, narrowerGroup(row, group)),
    advice: adviceOf(row),
    retry: row.retry,
    throttle: row.throttle,
    stopped: row.stopped ?? null,
    source: fault === null ? "service" : "local",
  };
}

/** The verdict without what may quote the message: of what was said about it only the meaning stays. @param operation id of an operation */
export const withoutDetail = (operation: string, verdict: Verdict): Verdict => ({
  ...verdict,
  statusMessage: meaningOf(rowOf(operation, verdict)),
  data: null,
});

/** The parameter that the text of a 4019 names, found among the operation's own fields. */
function namedParameter(operation: Operation, message: string | null): string | null {
  const fields = Object.keys((operation.request as { shape?: object }).shape ?? {});
  const words = message?.match(/\w+/g) ?? [];
  return words.find((word) => fields.includes(word)) ?? null;
}

/** Whether an answer says both that the message was accepted and that it was not. */
function contradicts(outcome: Outcome, httpStatus: number, read: ReadAnswer): boolean {
  return OUTCOMES[outcome].failure ? read.transferId !== null : httpStatus >= 300;
}

/** What an answer means: a row of one of the tables. */
interface Meaning extends OutcomeRow, Pick<StatusCode, "narrower"> {
  readonly name: string;
  readonly fault?: LocalFault | null;
  readonly retry: Retry;
  readonly throttle: Throttle;
  readonly stopped?: LocalOutcome["stopped"];
}

/** An answer and what could be read of it. */
interface Received {
  readonly answer: HttpAnswer;
  readonly read: ReadAnswer;
  /** Epoch ms. */
  readonly now: number;
}

// One literal: to put it together of several objects takes longer than to read the answer.
function serviceVerdict(
  { answer, read, now }: Received,
  row: Meaning,
  statusMessage: string,
  parameter: string | null = null,
): Verdict {
  return {
    outcome: row.outcome,
    statusCode: read.statusCode,
    statusName: row.name,
    fault: row.fault ?? null,
    statusMessage,
    advice: adviceOf(row),
    retry: row.retry,
    throttle: row.throttle,
    stopped: null,
    parameter,
    transferId: read.transferId,
    clientMessageId: read.clientMessageId,
    smsCount: read.smsCount,
    httpStatus: answer.status,
    attempts: 1,
    source: "service",
    retryAfter: readRetryAfter(answer, now),
    limitEnds: null,
    data: read.data,
  };
}

function contradictory(received: Received): Verdict {
  const { statusCode, transferId } = received.read;
  const said = [`HTTP ${received.answer.status}`];
  if (statusCode !== null) said.push(`statusCode ${statusCode}`);
  if (transferId !== null) said.push(say("service.with-transferId"));
  const fault = LOCAL_FAULTS.ANSWER_CONTRADICTORY;
  return serviceVerdict(received, fault, `${meaningOf(fault)} (${said.join(", ")})`);
}

function answerVerdict(
  operation: Operation,
  answer: HttpAnswer,
  refusedAt503: boolean,
  now: number,
  mask: Mask,
): Verdict {
  const read = readAnswer(operation.answer, answer);
  const received: Received = { answer, read, now };
  const { statusCode } = read;
  if (read.repeated !== null) {
    const fault = LOCAL_FAULTS.ANSWER_UNREADABLE;
    const twice = say("service.twice", { name: mask(read.repeated) });
    return serviceVerdict(received, fault, `${meaningOf(fault)} (HTTP ${answer.status}, ${twice})`);
  }
  if (statusCode === null) {
    if (read.fulfilled) return serviceVerdict(received, MOVED_FILE, meaningOf(MOVED_FILE));
    if (read.transferId !== null) return contradictory(received);
    const bare = findBareStatus(answer.status, refusedAt503);
    return serviceVerdict(received, bare, `${meaningOf(bare)} (HTTP ${answer.status})`);
  }
  const listed = findStatusCode(operation.style, statusCode, read.transferId !== null);
  const row = listed ?? unlistedCode(statusCode);
  if (contradicts(row.outcome, answer.status, read)) {
    return contradictory(received);
  }
  const meaning = meaningOf(row, narrowerGroup(listed ?? {}, operation.contentGroup));
  const said = read.statusMessage;
  // Words with a gap where a secret was say less than the meaning alone.
  const isWorthSaying = said !== null && said !== row.name && mask(said) === said;
  return serviceVerdict(
    received,
    row,
    // The same form in each language: `retold` says the meaning anew, and keeps what is in brackets.
    isWorthSaying ? `${meaning} (${said})` : meaning,
    statusCode === 4019 ? namedParameter(operation, said) : null,
  );
}

/** Masks secrets in a text that somebody else wrote. */
export type Mask = (text: string) => string;

const AS_IT_IS: Mask = (text) => text;

/** A read changes nothing at the service, so it can be made again after a loss. */
const repeatable = (verdict: Verdict): Verdict =>
  verdict.retry === "reads"
    ? { ...verdict, outcome: "retry-later", retry: "back-off", advice: say("outcomes.read.yes") }
    : verdict;

/** No delivery report follows an upload, so the advice differs from that of a message. */
const uploadAdvice = (verdict: Verdict): Verdict =>
  verdict.outcome === "unknown" ? { ...verdict, advice: say("outcomes.upload.check-first") } : verdict;

const BY_EFFECT: Readonly<Record<Operation["effect"], (verdict: Verdict) => Verdict>> = {
  send: (verdict) => verdict,
  upload: uploadAdvice,
  read: repeatable,
};

/**
 * Decides what one exchange means. A readable status code decides; the HTTP status only where there is none.
 * docs/service.md, Answers and Status codes.
 * @param refusedAt503 the account's setting that a bare 503 means not accepted
 * @param now epoch ms, for a `Retry-After` given as a date
 * @param mask is given what others wrote before it is put into a sentence, whose own words are never masked; words of the service that it
 * changes are left out
 */
export function judge(
  operation: Operation,
  result: Exchange,
  refusedAt503: boolean,
  now: number,
  mask: Mask = AS_IT_IS,
): Verdict {
  const verdict =
    result.answer === undefined
      ? localVerdict(result.fault, mask(result.detail), 1)
      : answerVerdict(operation, result.answer, refusedAt503, now, mask);
  return BY_EFFECT[operation.effect](verdict);
}
