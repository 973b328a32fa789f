import { type CheckResult, type CheckState, checkResult } from "./check-result";
import { encodeFields } from "../codec/encode-request";
import type { GatewayClient } from "../client/gateway-client";
import { OPERATIONS } from "../contract/operations";
import type { PreparedRequest } from "../codec/prepare-request";
import type { CancelSignal } from "../http/cancel-signal";
import type { Verdict } from "../codec/verdict";

/**
 * A request to send that cannot send: it names no recipient and holds no text, and asks for a simulation on top of
 * that. Who may not send is told so; everybody else is told that a parameter is missing.
 */
function emptyMessage(): PreparedRequest {
  const operation = OPERATIONS["sms-form"];
  const { query, contentType, body } = encodeFields(operation.encoding, { test: true });
  return { operation, path: operation.path, query, body, headers: { "content-type": contentType ?? "" } };
}

type Finding = readonly [state: CheckState, code: string];

const BY_CODE: Readonly<Record<number, Finding>> = {
  2000: ["ok", "ACCEPTED_EMPTY"],
  2001: ["ok", "ACCEPTED_EMPTY"],
  4001: ["failed", "INVALID_CREDENTIALS"],
  4013: ["warning", "LIMIT_REACHED"],
  4014: ["failed", "UNAUTHORIZED_IP"],
  4021: ["failed", "INVALID_ACCOUNT"],
  4022: ["failed", "ACCESS_DENIED"],
  4023: ["warning", "THROTTLED"],
  4033: ["warning", "CHANNEL_DISABLED"],
  4035: ["warning", "CHANNEL_DISABLED"],
};

/** An answer without a status code of the service: its HTTP status alone. */
function bareFinding(status: number): Finding {
  switch (status) {
    case 401:
      return ["failed", "INVALID_CREDENTIALS"];
    case 403:
      return ["failed", "ACCESS_DENIED"];
    case 404:
    case 405:
      return ["failed", "NO_ENDPOINT"];
    case 429:
      return ["warning", "THROTTLED"];
    default:
      return [
        "failed",
        status >= 500 ? "SERVICE_FAILS" : status >= 300 && status < 400 ? "REDIRECTED" : "OTHER_SERVICE",
      ];
  }
}

function findingOf({ source, statusCode, statusName, outcome, httpStatus }: Verdict): Finding {
  if (statusName === "ANSWER_CONTRADICTORY" || statusName === "ANSWER_UNREADABLE") {
    return ["failed", "OTHER_SERVICE"];
  }
  if (source === "local") {
    return ["failed", statusName === "NO_ANSWER" ? statusName : "CONNECTION_LOST"];
  }
  if (statusCode === null) {
    return bareFinding(httpStatus ?? 0);
  }
  const known = BY_CODE[statusCode];
  if (known !== undefined) {
    return known;
  }
  if (statusName.startsWith("CODE_")) {
    return ["warning", "UNCLEAR"];
  }
  // The message is at fault, so whoever sent it was let in.
  return outcome === "rejected" ? ["ok", "OK"] : ["failed", "SERVICE_FAILS"];
}

/** Asks the service who we are, by a message that it must refuse. Needs the account's legacy credentials. */
export async function checkSignIn(client: GatewayClient, stop: CancelSignal): Promise<CheckResult> {
  const verdict = await client.attempt(emptyMessage(), { stopNew: stop, abort: stop });
  const [state, code] = findingOf(verdict);
  return checkResult(
    "sign-in",
    state,
    code,
    client.service.host,
    state === "ok" ? "" : verdict.statusMessage,
  );
}
