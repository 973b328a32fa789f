import { findStatusCode } from "../../shared/outcomes";
import type { LocalFault } from "../contract/local-outcomes";
import { type CheckResult, type CheckState, checkResult } from "./check-result";
import { encodeFields } from "../codec/encode-request";
import type { GatewayClient } from "../client/gateway-client";
import { OPERATIONS } from "../contract/operations";
import type { PreparedRequest } from "../codec/prepare-request";
import type { CancelSignal } from "../http/cancel-signal";
import type { Verdict } from "../codec/verdict";

/** A request that cannot send: without recipient and text, and as a test. The service tells wrong credentials from a missing parameter. */
function emptyMessage(): PreparedRequest {
  const operation = OPERATIONS["sms-form"];
  const { query, contentType, body } = encodeFields(operation.encoding, { test: true });
  return { operation, path: operation.path, query, body, headers: { "content-type": contentType ?? "" } };
}

type Found = readonly [state: CheckState, code: string];

/** What a status code says about the sign-in. */
const BY_CODE: Readonly<Record<number, Found>> = {
  2000: ["ok", "ACCEPTED_EMPTY"],
  2001: ["ok", "ACCEPTED_EMPTY"],
  4001: ["failed", "INVALID_CREDENTIALS"],
  4013: ["warning", "LIMIT_REACHED"],
  4014: ["failed", "UNAUTHORIZED_IP"],
  4021: ["failed", "INVALID_ACCOUNT"],
  4022: ["failed", "ACCESS_DENIED"],
  4033: ["warning", "CHANNEL_DISABLED"],
  4035: ["warning", "CHANNEL_DISABLED"],
};

/** What faults without a usable answer say about the sign-in. For all others the connection was lost. */
const BY_FAULT: Readonly<Partial<Record<LocalFault, Found>>> = {
  ANSWER_CONTRADICTORY: ["failed", "OTHER_SERVICE"],
  ANSWER_UNREADABLE: ["failed", "OTHER_SERVICE"],
  NO_ANSWER: ["failed", "NO_ANSWER"],
};

/** What an HTTP status without a status code of the service says. For all others the range decides. */
const BY_STATUS: Readonly<Record<number, Found>> = {
  401: ["failed", "INVALID_CREDENTIALS"],
  403: ["failed", "ACCESS_DENIED"],
  404: ["failed", "NO_ENDPOINT"],
  405: ["failed", "NO_ENDPOINT"],
};

function bareFound(status: number): Found {
  const other = status >= 300 && status < 400 ? "REDIRECTED" : "OTHER_SERVICE";
  return BY_STATUS[status] ?? ["failed", status >= 500 ? "SERVICE_FAILS" : other];
}

function foundIn({ source, statusCode, fault, outcome, throttle, httpStatus }: Verdict): Found {
  if (throttle !== "none") {
    return ["warning", "THROTTLED"];
  }
  const byFault = fault === null ? undefined : BY_FAULT[fault];
  if (byFault !== undefined) {
    return byFault;
  }
  if (source === "local") {
    return ["failed", "CONNECTION_LOST"];
  }
  if (statusCode === null) {
    return bareFound(httpStatus ?? 0);
  }
  const byCode = BY_CODE[statusCode];
  if (byCode !== undefined) {
    return byCode;
  }
  if (findStatusCode("legacy", statusCode) === undefined) {
    return ["warning", "UNCLEAR"];
  }
  // Only the message is at fault, so the credentials were accepted.
  return outcome === "rejected" ? ["ok", "OK"] : ["failed", "SERVICE_FAILS"];
}

/** Checks the account's legacy credentials by a message that the service must refuse. */
export async function checkSignIn(client: GatewayClient, stop: CancelSignal): Promise<CheckResult> {
  const verdict = await new Promise<Verdict>((attempted) => {
    client.begin(emptyMessage(), { stopNew: stop, abort: stop }, {}, { attempted }, 0);
  });
  const [state, code] = foundIn(verdict);
  return checkResult(
    "sign-in",
    state,
    code,
    client.service.host,
    state === "ok" ? "" : verdict.statusMessage,
  );
}
