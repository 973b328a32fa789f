/** An answer with a status code in the format of the endpoint. */
export interface CodeAnswer {
  /** Any integer, including codes that the service does not define. */
  readonly statusCode: number;
  readonly statusMessage?: string;
  /** Replaces the HTTP status of the code. 200 to 599. */
  readonly httpStatus?: number;
  /** Header Retry-After: seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  /** Number of SMS to report; `partial` is one fewer than there are recipients. */
  readonly smsCount?: number | "partial";
}

/** An HTTP answer without a status code. */
export interface BareAnswer {
  /** 200 to 599. */
  readonly httpStatus: number;
  readonly body?: string;
  /** Default: `text/plain;charset=UTF-8`. */
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

/** A connection fault instead of an answer. All except `reset-before-accept` accept the message first. */
export interface ConnectionAnswer {
  readonly connection: ConnectionFault;
}

export type FaultAnswer = (CodeAnswer | BareAnswer | ConnectionAnswer) & {
  /** Whether the message is accepted. Default: true for 2000, 2001 and all connection faults except `reset-before-accept`. */
  readonly accept?: boolean;
  /** Milliseconds between accepting and answering. */
  readonly delayMs?: number;
};

/** One rule of the fault plan. It applies only to requests that pass all checks. */
export interface FaultRule {
  /** Id of an endpoint (`sms-form`, `token`, …). Default: any. */
  readonly operation?: string;
  /** A number that must be among the recipients, with or without plus; `417*` matches by prefix. */
  readonly recipient?: string;
  /** Text of the message; a trailing `*` matches by prefix. */
  readonly content?: string;
  /** Matching requests to skip first. Default: 0. */
  readonly skip?: number;
  /** Requests to answer this way; 0 for no limit. Default: 1. */
  readonly times?: number;
  readonly answer: FaultAnswer;
}

/** True if this answer accepts the message. */
export function accepts(answer: FaultAnswer): boolean {
  if (answer.accept !== undefined) return answer.accept;
  if ("connection" in answer) return answer.connection !== "reset-before-accept";
  return "statusCode" in answer && (answer.statusCode === 2000 || answer.statusCode === 2001);
}

/** Short description for the log. */
export function describeAnswer(answer: FaultAnswer): string {
  if ("connection" in answer) return answer.connection;
  return "statusCode" in answer ? `statusCode ${answer.statusCode}` : `HTTP ${answer.httpStatus}`;
}
