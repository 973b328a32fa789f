/** The checks of a request, in this order. */
export type Gate = "method" | "size" | "authentication" | "address" | "type" | "body" | "json";

export interface Refusal {
  readonly gate: Gate;
  readonly httpStatus: number;
  /** A sentence for the caller. It gives no hint at the right credentials. */
  readonly explanation: string;
}

/**
 * Every reason for which a webhook refuses a request. The reason is also the key of its text for users. `aborted`
 * has a status only because the table needs one: no caller is left to read it.
 */
export const REFUSALS = {
  method: { gate: "method", httpStatus: 405, explanation: "This address takes POST requests only." },
  "too-large": { gate: "size", httpStatus: 413, explanation: "The request body is larger than allowed." },
  "no-secret-set": {
    gate: "authentication",
    httpStatus: 401,
    explanation: "This webhook has no secret yet and refuses every call.",
  },
  "no-credentials": {
    gate: "authentication",
    httpStatus: 401,
    explanation: "The request brings no credentials in the place where they are expected.",
  },
  "several-credentials": {
    gate: "authentication",
    httpStatus: 401,
    explanation: "The request brings credentials more than once, or under a disguised name.",
  },
  "wrong-credentials": {
    gate: "authentication",
    httpStatus: 401,
    explanation: "The credentials of the request are not the right ones.",
  },
  "address-not-allowed": {
    gate: "address",
    httpStatus: 403,
    explanation: "Requests from this address are not allowed.",
  },
  "address-unknown": {
    gate: "address",
    httpStatus: 403,
    explanation: "The address that the request comes from is unknown.",
  },
  encoding: { gate: "type", httpStatus: 415, explanation: "Compressed request bodies are not taken." },
  "content-type": {
    gate: "type",
    httpStatus: 415,
    explanation: "The request body has to be of the type application/json.",
  },
  charset: { gate: "type", httpStatus: 415, explanation: "The request body has to be in UTF-8." },
  "slow-body": {
    gate: "body",
    httpStatus: 408,
    explanation: "The request body did not arrive within the time limit.",
  },
  // 503, because the caller is not at fault: the service delivers the event again after the problem is solved.
  "body-taken": {
    gate: "body",
    httpStatus: 503,
    explanation: "Something on this server has read the request body before the webhook could.",
  },
  aborted: { gate: "body", httpStatus: 400, explanation: "The connection ended within the request." },
  empty: { gate: "body", httpStatus: 400, explanation: "The request has no body." },
  "not-utf8": { gate: "json", httpStatus: 400, explanation: "The request body is not valid UTF-8." },
  "not-json": { gate: "json", httpStatus: 400, explanation: "The request body is not valid JSON." },
  "stray-self-test": {
    gate: "json",
    httpStatus: 409,
    explanation: "This self-test is not, or no longer, expected here.",
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export type RefusalReason = keyof typeof REFUSALS;
