export interface Refusal {
  readonly httpStatus: number;
  readonly explanation: string;
}

const refusal = (httpStatus: number, explanation: string): Refusal => ({ httpStatus, explanation });

/** Also the keys of texts, in the order of the checks. */
export const REFUSALS = {
  "too-large": refusal(413, "The request body is larger than allowed."),
  "no-secret-set": refusal(401, "This webhook has no secret yet and refuses every call."),
  "no-credentials": refusal(401, "The request brings no credentials in the place where they are expected."),
  "several-credentials": refusal(
    401,
    "The request brings credentials more than once, or under a disguised name.",
  ),
  "wrong-credentials": refusal(401, "The credentials of the request are not the right ones."),
  "address-not-allowed": refusal(403, "Requests from this address are not allowed."),
  "address-unknown": refusal(403, "The address that the request comes from is unknown."),
  encoding: refusal(415, "Compressed request bodies are not taken."),
  "content-type": refusal(415, "The request body has to be of the type application/json."),
  charset: refusal(415, "The request body has to be in UTF-8."),
  "slow-body": refusal(408, "The request body did not arrive within the time limit."),
  // 503 makes the service deliver the event again after the problem is solved.
  "body-taken": refusal(503, "Something on this server has read the request body before the webhook could."),
  aborted: refusal(400, "The connection ended within the request."),
  empty: refusal(400, "The request has no body."),
  "not-utf8": refusal(400, "The request body is not valid UTF-8."),
  "not-json": refusal(400, "The request body is not valid JSON."),
  "stray-self-test": refusal(409, "This self-test is not, or no longer, expected here."),
} satisfies Readonly<Record<string, Refusal>>;

export type RefusalReason = keyof typeof REFUSALS;
