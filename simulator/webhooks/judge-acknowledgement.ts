import type { DeliveryAttempt } from "./webhook-records";

/** What an answer says about a try. */
export type Judgement = Pick<DeliveryAttempt, "httpStatus" | "statusCode" | "problem">;

/** Only HTTP 200 with the whole number 2000 in a JSON object is an acknowledgement; all else brings a retry. */
export function judgeAcknowledgement(httpStatus: number, contentType: string, body: string): Judgement {
  const statusCode = readStatusCode(contentType, body);
  const right = httpStatus === 200 && statusCode === 2000;
  return { httpStatus, statusCode, problem: right ? null : "wrong-answer" };
}

function readStatusCode(contentType: string, body: string): number | null {
  if (!/^application\/json *(;|$)/i.test(contentType)) return null;
  try {
    const { statusCode } = Object(JSON.parse(body));
    return Number.isSafeInteger(statusCode) ? statusCode : null;
  } catch {
    return null;
  }
}
