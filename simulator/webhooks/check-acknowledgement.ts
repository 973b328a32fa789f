import type { DeliveryAttempt } from "./webhook-records";

/** The result of one attempt. */
export type AcknowledgementResult = Pick<DeliveryAttempt, "httpStatus" | "statusCode" | "problem">;

/** Accepts only HTTP 200 with the integer 2000 as `statusCode` of a JSON object; any other answer causes a retry. */
export function checkAcknowledgement(
  httpStatus: number,
  contentType: string,
  body: string,
): AcknowledgementResult {
  const statusCode = readStatusCode(contentType, body);
  const acknowledged = httpStatus === 200 && statusCode === 2000;
  return { httpStatus, statusCode, problem: acknowledged ? null : "wrong-answer" };
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
