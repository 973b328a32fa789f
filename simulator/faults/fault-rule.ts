import { z } from "zod";
import { isHeader } from "../util/is-header";

export const CONNECTION_FAULTS = [
  "reset-before-accept",
  "drop-after-accept",
  "stall",
  "cut-header",
  "cut-body",
  "garbage",
] as const;

export type ConnectionFault = (typeof CONNECTION_FAULTS)[number];

const MAX_DELAY_MS = 2 ** 31 - 1;

const count = z.int().min(0);
const finalStatus = z.int().min(200).max(599);
const headerValue = z.string().refine((value) => isHeader("x", value), "is no header value");
const headers = z
  .record(z.string(), z.string())
  .refine((value) => Object.entries(value).every(([name, content]) => isHeader(name, content)));

const anyAnswer = {
  /** Whether the message is accepted. Default: true for 2000, 2001 and all connection faults except `reset-before-accept`. */
  accept: z.boolean().optional(),
  delayMs: count.max(MAX_DELAY_MS).optional(),
};

const codeAnswer = z.strictObject({
  statusCode: z.int(),
  statusMessage: z.string().optional(),
  httpStatus: finalStatus.optional(),
  retryAfter: z.union([count, headerValue]).optional(),
  /** Number of SMS to report; `partial` is one fewer than there are recipients. */
  smsCount: z.union([z.literal("partial"), count]).optional(),
  ...anyAnswer,
});

const bareAnswer = z.strictObject({
  httpStatus: finalStatus,
  body: z.string().optional(),
  contentType: headerValue.optional(),
  headers: headers.optional(),
  ...anyAnswer,
});

const connectionAnswer = z.strictObject({ connection: z.enum(CONNECTION_FAULTS), ...anyAnswer });

export const faultRule = z.strictObject({
  operation: z.string().optional(),
  /** A number that must be among the recipients, with or without plus; `417*` matches by prefix. */
  recipient: z.string().optional(),
  /** Text of the message; a trailing `*` matches by prefix. */
  content: z.string().optional(),
  skip: count.optional(),
  /** Requests to answer this way; 0 for no limit. Default: 1. */
  times: count.optional(),
  answer: z.union([codeAnswer, bareAnswer, connectionAnswer]),
});

export type FaultRule = Readonly<z.infer<typeof faultRule>>;
export type FaultAnswer = FaultRule["answer"];
export type CodeAnswer = z.infer<typeof codeAnswer>;
export type BareAnswer = z.infer<typeof bareAnswer>;

export function accepts(answer: FaultAnswer): boolean {
  if (answer.accept !== undefined) return answer.accept;
  if ("connection" in answer) return answer.connection !== "reset-before-accept";
  return "statusCode" in answer && (answer.statusCode === 2000 || answer.statusCode === 2001);
}

export function describeAnswer(answer: FaultAnswer): string {
  if ("connection" in answer) return answer.connection;
  return "statusCode" in answer ? `statusCode ${answer.statusCode}` : `HTTP ${answer.httpStatus}`;
}
