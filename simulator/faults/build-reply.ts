import { randomBytes } from "node:crypto";
import type { AuthStyle, Endpoint } from "../endpoints/endpoint";
import type { ParsedMessage } from "../messages/records";
import type { BareAnswer, CodeAnswer } from "./fault-rule";
import type { Refusal } from "../rules/field-rules";
import { jsonReply, type Reply, reasonHeader, refusalReply, withHeaders } from "../endpoints/reply";

const CHALLENGES: Readonly<Record<AuthStyle, string>> = {
  legacy: 'Basic realm="simulator"',
  client: 'Basic realm="simulator"',
  bearer: 'Bearer error="invalid_token"',
};

const UNLISTED_STATUS: Readonly<Record<AuthStyle, (statusCode: number) => number>> = {
  legacy: () => 200,
  client: () => 200,
  bearer: (statusCode) => (isSuccess(statusCode) ? 201 : statusCode >= 5000 ? 500 : 400),
};

export function newTransferId(): string {
  return randomBytes(10).toString("hex");
}

export function isSuccess(statusCode: number): boolean {
  return statusCode === 2000 || statusCode === 2001;
}

export function countSms({ segmentsPerRecipient, recipients }: ParsedMessage): number {
  return segmentsPerRecipient * recipients.length;
}

export function buildRefusal(endpoint: Endpoint, refusal: Refusal, clientMessageId: string | null): Reply {
  const { code, reason, httpStatus } = refusal;
  if (code === null) return refusalReply(httpStatus ?? 400, reason);
  if (typeof code === "string") return buildOAuthError(endpoint, code, reason, httpStatus ?? 400);
  const known = endpoint.codes.get(code);
  const result = {
    statusCode: code,
    statusMessage: known ? `${known.text}: ${reason}` : reason,
    clientMessageId,
    transferId: null,
    smsCount: 0,
  };
  return challenge(endpoint, endpoint.write(result, httpStatus ?? statusOf(endpoint, code)));
}

/** The token service names the error in the body; other endpoints name it in the challenge (RFC 6750). */
function buildOAuthError(endpoint: Endpoint, error: string, reason: string, httpStatus: number): Reply {
  if (endpoint.auth !== "bearer") {
    return challenge(endpoint, withHeaders(jsonReply(httpStatus, { error }), reasonHeader(reason)));
  }
  const scope = error === "insufficient_scope" ? `, scope="${endpoint.scope}"` : "";
  // No status code fits: 4001 has another meaning on these endpoints.
  return withHeaders(jsonReply(httpStatus, { statusMessage: reason }), {
    "www-authenticate": `Bearer error="${error}"${scope}`,
    ...reasonHeader(reason),
  });
}

function statusOf(endpoint: Endpoint, statusCode: number): number {
  return endpoint.codes.get(statusCode)?.httpStatus ?? UNLISTED_STATUS[endpoint.auth](statusCode);
}

export function buildCode(
  endpoint: Endpoint,
  answer: CodeAnswer,
  message: ParsedMessage | null,
  transferId: string | null,
): Reply {
  const known = endpoint.codes.get(answer.statusCode);
  const success = isSuccess(answer.statusCode);
  const recipients = message?.recipients.length ?? 0;
  const sms = success && message ? countSms(message) : 0;
  const reply = endpoint.write(
    {
      statusCode: answer.statusCode,
      statusMessage: answer.statusMessage ?? known?.text ?? `status ${answer.statusCode}`,
      clientMessageId: message?.clientMessageId ?? null,
      // A success always has a transfer id, also where a fault rule accepted no message.
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
