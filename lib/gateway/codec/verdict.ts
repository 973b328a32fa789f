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
import { getAdvice, getMeaning, type OutcomeRow } from "../contract/outcome-texts";
import type { FieldError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { say } from "../../texts/say";
import type { Exchange, HttpResponse } from "../http/exchange";
import { type Operation, OPERATIONS, type OperationId } from "../contract/operations";
import { type ReadResponse, readResponse, readRetryAfter } from "./read-response";

export interface Verdict {
  readonly outcome: Outcome;
  /** Null if the service gave no code. */
  readonly statusCode: number | null;
  readonly statusName: string;
  /** Null if the response of the service decided. */
  readonly fault: LocalFault | null;
  readonly statusMessage: string;
  readonly advice: string;
  readonly retry: Retry;
  readonly throttle: Throttle;
  /** Whether the node stopped the request before or after it was sent. */
  readonly stopped: LocalOutcome["stopped"];
  readonly parameter: string | null;
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  readonly smsCount: number | null;
  readonly httpStatus: number | null;
  readonly attempts: number;
  readonly source: "service" | "local";
  /** Ms. */
  readonly retryAfter: number | null;
  /** Epoch ms at which a reached limit of the account ends. */
  readonly limitEnds: number | null;
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

export const MAX_MESSAGE = 1_000;

/** Adds `detail` to the meaning in brackets. */
export function localVerdict(fault: LocalFault, detail = "", attempts = 0): Verdict {
  const row = LOCAL_FAULTS[fault];
  const { name, outcome, retry, throttle, stopped } = row;
  const meaning = getMeaning(row);
  return {
    ...EMPTY,
    outcome,
    retry,
    throttle,
    stopped,
    statusName: name,
    fault,
    statusMessage: detail === "" ? meaning : `${meaning} (${sanitiseText(detail, MAX_MESSAGE)})`,
    advice: getAdvice(row),
    attempts,
    source: "local",
  };
}

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Sends have no use for UNKNOWN_MESSAGE, so it becomes FIELD_INVALID. */
export const fieldVerdict = ({ code, message }: FieldError): Verdict => ({
  ...localVerdict(code === "UNKNOWN_MESSAGE" ? "FIELD_INVALID" : code),
  statusMessage: asSentence(sanitiseText(message, MAX_MESSAGE)),
});

type Code = Pick<Verdict, "fault" | "statusCode" | "httpStatus" | "transferId" | "outcome">;

function getRow(operation: string, { fault, statusCode, httpStatus, transferId, outcome }: Code): OutcomeRow {
  if (fault !== null) {
    return LOCAL_FAULTS[fault];
  }
  if (statusCode !== null) {
    const style = operation in OPERATIONS ? OPERATIONS[operation as OperationId].style : "legacy";
    return findStatusCode(style, statusCode, transferId !== null) ?? unlistedCode(statusCode);
  }
  return findBareStatus(httpStatus ?? 0, outcome === "retry-later");
}

type CodeVerdict = Pick<
  Verdict,
  "outcome" | "statusName" | "statusMessage" | "advice" | "retry" | "throttle" | "stopped" | "source"
>;

const narrowerGroup = (
  { narrower }: Pick<StatusCode, "narrower">,
  group: ContentGroup | null,
): ContentGroup | undefined => (group !== null && narrower?.includes(group) ? group : undefined);

/** Returns the parts of a verdict that follow from its code alone. */
export function getCodeVerdict(operation: string, code: Code): CodeVerdict | null {
  const { fault, statusCode } = code;
  if (fault === null && statusCode === null) {
    return null;
  }
  const row = getRow(operation, code) as Meaning;
  const group = operation in OPERATIONS ? OPERATIONS[operation as OperationId].contentGroup : null;
  return {
    outcome: row.outcome,
    statusName: row.name,
    statusMessage: getMeaning(row, narrowerGroup(row, group)),
    advice: getAdvice(row),
    retry: row.retry,
    throttle: row.throttle,
    stopped: row.stopped ?? null,
    source: fault === null ? "service" : "local",
  };
}

/** Removes everything that may quote the message. */
export const withoutDetail = (operation: string, verdict: Verdict): Verdict => ({
  ...verdict,
  statusMessage: getMeaning(getRow(operation, verdict)),
  data: null,
});

function namedParameter(operation: Operation, message: string | null): string | null {
  const fields = Object.keys((operation.request as { shape?: object }).shape ?? {});
  const words = message?.match(/\w+/g) ?? [];
  return words.find((word) => fields.includes(word)) ?? null;
}

function contradicts(outcome: Outcome, httpStatus: number, read: ReadResponse): boolean {
  return OUTCOMES[outcome].failure ? read.transferId !== null : httpStatus >= 300;
}

interface Meaning extends OutcomeRow, Pick<StatusCode, "narrower"> {
  readonly name: string;
  readonly fault?: LocalFault | null;
  readonly retry: Retry;
  readonly throttle: Throttle;
  readonly stopped?: LocalOutcome["stopped"];
}

interface Received {
  readonly response: HttpResponse;
  readonly read: ReadResponse;
  readonly now: number;
}

// One literal: merging several objects takes longer than reading the response.
function serviceVerdict(
  { response, read, now }: Received,
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
    advice: getAdvice(row),
    retry: row.retry,
    throttle: row.throttle,
    stopped: null,
    parameter,
    transferId: read.transferId,
    clientMessageId: read.clientMessageId,
    smsCount: read.smsCount,
    httpStatus: response.status,
    attempts: 1,
    source: "service",
    retryAfter: readRetryAfter(response, now),
    limitEnds: null,
    data: read.data,
  };
}

function contradictory(received: Received): Verdict {
  const { statusCode, transferId } = received.read;
  const said = [`HTTP ${received.response.status}`];
  if (statusCode !== null) said.push(`statusCode ${statusCode}`);
  if (transferId !== null) said.push(say("service.with-transferId"));
  const fault = LOCAL_FAULTS.ANSWER_CONTRADICTORY;
  return serviceVerdict(received, fault, `${getMeaning(fault)} (${said.join(", ")})`);
}

function responseVerdict(
  operation: Operation,
  response: HttpResponse,
  refusedAt503: boolean,
  now: number,
  mask: Mask,
): Verdict {
  const read = readResponse(operation.response, response);
  const received: Received = { response, read, now };
  const { statusCode } = read;
  if (read.repeated !== null) {
    const fault = LOCAL_FAULTS.ANSWER_UNREADABLE;
    const twice = say("service.twice", { name: mask(read.repeated) });
    return serviceVerdict(received, fault, `${getMeaning(fault)} (HTTP ${response.status}, ${twice})`);
  }
  if (statusCode === null) {
    if (read.fulfilled) return serviceVerdict(received, MOVED_FILE, getMeaning(MOVED_FILE));
    if (read.transferId !== null) return contradictory(received);
    const bare = findBareStatus(response.status, refusedAt503);
    return serviceVerdict(received, bare, `${getMeaning(bare)} (HTTP ${response.status})`);
  }
  const listed = findStatusCode(operation.style, statusCode, read.transferId !== null);
  const row = listed ?? unlistedCode(statusCode);
  if (contradicts(row.outcome, response.status, read)) {
    return contradictory(received);
  }
  const meaning = getMeaning(row, narrowerGroup(listed ?? {}, operation.contentGroup));
  const said = read.statusMessage;
  // A text in which a secret was masked is worse than the meaning alone.
  const isInformative = said !== null && said !== row.name && mask(said) === said;
  return serviceVerdict(
    received,
    row,
    // `retold` replaces the meaning and keeps the brackets, so each language has this form.
    isInformative ? `${meaning} (${said})` : meaning,
    statusCode === 4019 ? namedParameter(operation, said) : null,
  );
}

export type Mask = (text: string) => string;

const AS_IT_IS: Mask = (text) => text;

/** A read changes nothing at the service, so it can be repeated after a loss. */
const repeatable = (verdict: Verdict): Verdict =>
  verdict.retry === "reads"
    ? { ...verdict, outcome: "retry-later", retry: "back-off", advice: say("outcomes.read.yes") }
    : verdict;

/** No delivery report follows an upload, so its advice differs. */
const uploadAdvice = (verdict: Verdict): Verdict =>
  verdict.outcome === "unknown" ? { ...verdict, advice: say("outcomes.upload.check-first") } : verdict;

const BY_EFFECT: Readonly<Record<Operation["effect"], (verdict: Verdict) => Verdict>> = {
  send: (verdict) => verdict,
  upload: uploadAdvice,
  read: repeatable,
};

/**
 * Decides the outcome of one exchange. A readable status code overrides the HTTP status.
 * @param refusedAt503 true if a bare 503 means not accepted
 * @param mask masks secrets in texts of the service, and so drops a text with a secret
 */
export function judge(
  operation: Operation,
  result: Exchange,
  refusedAt503: boolean,
  now: number,
  mask: Mask = AS_IT_IS,
): Verdict {
  const verdict =
    result.response === undefined
      ? localVerdict(result.fault, mask(result.detail), 1)
      : responseVerdict(operation, result.response, refusedAt503, now, mask);
  return BY_EFFECT[operation.effect](verdict);
}
