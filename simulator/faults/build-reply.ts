import { randomBytes } from "node:crypto";
import type { AuthStyle, Draft, Endpoint } from "../endpoints/endpoint";
import type { BareAnswer, CodeAnswer } from "./fault-rule";
import type { Refusal } from "../rules/field-rules";
import { jsonReply, type Reply, reasonHeader, refusalReply, withHeaders } from "../endpoints/reply";

const CHALLENGES: Readonly<Record<AuthStyle, string>> = {
  legacy: 'Basic realm="simulator"',
  client: 'Basic realm="simulator"',
  bearer: 'Bearer error="invalid_token"',
};

/** HTTP status of a code that the endpoint does not list: legacy answers are 200, whatever happened. */
const UNLISTED_STATUS: Readonly<Record<AuthStyle, (statusCode: number) => number>> = {
  legacy: () => 200,
  client: () => 200,
  bearer: (statusCode) => (isSuccess(statusCode) ? 201 : statusCode >= 5000 ? 500 : 400),
};

/** 20 hexadecimal digits. */
export function newTransferId(): string {
  return randomBytes(10).toString("hex");
}

/** True for the two codes that say the message was taken. */
export function isSuccess(statusCode: number): boolean {
  return statusCode === 2000 || statusCode === 2001;
}

/** SMS that all recipients of a message get together. */
export function countSms({ segmentsPerRecipient, recipients }: Draft): number {
  return segmentsPerRecipient * recipients.length;
}

/** Puts a refusal into the endpoint's own form. */
export function buildRefusal(endpoint: Endpoint, refusal: Refusal, clientMessageId: string | null): Reply {
  const { verdict, reason, httpStatus } = refusal;
  if (verdict === null) return refusalReply(httpStatus ?? 400, reason);
  if (typeof verdict === "string") return buildOAuthError(endpoint, verdict, reason, httpStatus ?? 400);
  const known = endpoint.codes.get(verdict);
  const result = {
    statusCode: verdict,
    statusMessage: known ? `${known.text}: ${reason}` : reason,
    clientMessageId,
    transferId: null,
    smsCount: 0,
  };
  return challenge(endpoint, endpoint.write(result, httpStatus ?? statusOf(endpoint, verdict)));
}

/** The token service names the error in its answer; elsewhere RFC 6750 puts it into the challenge. */
function buildOAuthError(endpoint: Endpoint, error: string, reason: string, httpStatus: number): Reply {
  if (endpoint.auth !== "bearer") {
    return challenge(endpoint, withHeaders(jsonReply(httpStatus, { error }), reasonHeader(reason)));
  }
  const scope = error === "insufficient_scope" ? `, scope="${endpoint.scope}"` : "";
  // No status code: none of the service's fits, and 4001 means another thing here.
  return withHeaders(jsonReply(httpStatus, { statusMessage: reason }), {
    "www-authenticate": `Bearer error="${error}"${scope}`,
    ...reasonHeader(reason),
  });
}

function statusOf(endpoint: Endpoint, statusCode: number): number {
  return endpoint.codes.get(statusCode)?.httpStatus ?? UNLISTED_STATUS[endpoint.auth](statusCode);
}

/** An answer with a status code, by a fault rule or because all is well. */
export function buildCode(
  endpoint: Endpoint,
  answer: CodeAnswer,
  draft: Draft | null,
  transferId: string | null,
): Reply {
  const known = endpoint.codes.get(answer.statusCode);
  const success = isSuccess(answer.statusCode);
  const recipients = draft?.recipients.length ?? 0;
  const sms = success && draft ? countSms(draft) : 0;
  const reply = endpoint.write(
    {
      statusCode: answer.statusCode,
      statusMessage: answer.statusMessage ?? known?.text ?? `status ${answer.statusCode}`,
      clientMessageId: draft?.clientMessageId ?? null,
      // Success always names a transfer, even one that a rule invented.
      transferId: success ? (transferId ?? newTransferId()) : null,
      smsCount: answer.smsCount === "partial" ? Math.max(0, recipients - 1) : (answer.smsCount ?? sms),
    },
    answer.httpStatus ?? statusOf(endpoint, answer.statusCode),
  );
  const { retryAfter } = answer;
  const complete =
    retryAfter === undefined ? reply : withHeaders(reply, { "retry-after": String(retryAfter) });
  return challenge(endpoint, complete);
}

/** An answer with an HTTP status only. */
export function buildBare({ httpStatus, body, contentType, headers }: BareAnswer): Reply {
  return {
    httpStatus,
    headers: { "content-type": contentType ?? "text/plain;charset=UTF-8", ...headers },
    body: Buffer.from(body ?? ""),
    statusCode: null,
  };
}

function challenge(endpoint: Endpoint, reply: Reply): Reply {
  return reply.httpStatus === 401
    ? withHeaders(reply, { "www-authenticate": CHALLENGES[endpoint.auth] })
    : reply;
}
