/** Answer with a code of the service, in the form of the endpoint. */
export interface CodeAnswer {
  /** Any integer; codes that the service does not list are possible here and only here. */
  readonly statusCode: number;
  readonly statusMessage?: string;
  /** Instead of the HTTP status that goes with the code. 200 to 599. */
  readonly httpStatus?: number;
  /** Header Retry-After: seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  /** SMS to report; `partial` is one fewer than there are recipients. */
  readonly smsCount?: number | "partial";
}

/** Answer with nothing of the service's own form. */
export interface BareAnswer {
  /** 200 to 599. */
  readonly httpStatus: number;
  readonly body?: string;
  /** `text/plain;charset=UTF-8` without it. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const CONNECTION_FAULTS = [
  "reset-before-accept",
  "drop-after-accept",
  "stall",
  "cut-header",
  "cut-body",
  "garbage",
] as const;

export type ConnectionFault = (typeof CONNECTION_FAULTS)[number];

/** Do something to the connection. All but `reset-before-accept` accept the message first. */
export interface ConnectionAnswer {
  readonly connection: ConnectionFault;
}

export type FaultAnswer = (CodeAnswer | BareAnswer | ConnectionAnswer) & {
  /** Whether the message counts as accepted; without it codes 2000 and 2001 and most connection faults do. */
  readonly accept?: boolean;
  /** Milliseconds between accepting and answering. */
  readonly delayMs?: number;
};

/** One line of the fault plan. It looks only at requests that would have been accepted. */
export interface FaultRule {
  /** Id of an endpoint (`sms-form`, `token`, …); any without it. */
  readonly operation?: string;
  /** A number that must be among the recipients, with or without plus; `417*` matches by prefix. */
  readonly recipient?: string;
  /** The message's text; a trailing `*` matches by prefix. */
  readonly content?: string;
  /** Matching requests to leave alone first. 0 without it. */
  readonly skip?: number;
  /** Requests to answer this way, 0 = for ever. 1 without it. */
  readonly times?: number;
  readonly answer: FaultAnswer;
}

/** True when accepting is what this answer does to a message. */
export function accepts(answer: FaultAnswer): boolean {
  if (answer.accept !== undefined) return answer.accept;
  if ("connection" in answer) return answer.connection !== "reset-before-accept";
  return "statusCode" in answer && (answer.statusCode === 2000 || answer.statusCode === 2001);
}

/** A few words for the log. */
export function describeAnswer(answer: FaultAnswer): string {
  if ("connection" in answer) return answer.connection;
  return "statusCode" in answer ? `statusCode ${answer.statusCode}` : `HTTP ${answer.httpStatus}`;
}
