import { findStatusCode } from "../../shared/outcomes";
import type { LocalFault } from "../contract/local-outcomes";
import { type CheckResult, type CheckState, checkResult } from "./check-result";
import { encodeFields } from "../codec/encode-request";
import type { GatewayClient } from "../client/gateway-client";
import { OPERATIONS } from "../contract/operations";
import type { PreparedRequest } from "../codec/prepare-request";
import type { CancelSignal } from "../http/cancel-signal";
import type { Verdict } from "../codec/verdict";

function emptyMessage(): PreparedRequest {
  const operation = OPERATIONS["sms-form"];
  const { query, contentType, body } = encodeFields(operation.encoding, { test: true });
  return { operation, path: operation.path, query, body, headers: { "content-type": contentType ?? "" } };
}

type Found = readonly [state: CheckState, code: string];

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

const BY_FAULT: Readonly<Partial<Record<LocalFault, Found>>> = {
  ANSWER_CONTRADICTORY: ["failed", "OTHER_SERVICE"],
  ANSWER_UNREADABLE: ["failed", "OTHER_SERVICE"],
  NO_ANSWER: ["failed", "NO_ANSWER"],
};

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
  // Only the message is wrong, so the credentials were accepted.
  return outcome === "rejected" ? ["ok", "OK"] : ["failed", "SERVICE_FAILS"];
}

export async function checkSignIn(client: GatewayClient, stop: CancelSignal): Promise<CheckResult> {
  const verdict = await new Promise<Verdict>((attempted) => {
    client.start(emptyMessage(), { stopNew: stop, abort: stop }, {}, { attempted }, 0);
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
