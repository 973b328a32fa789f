import { type CheckResult, checkResult } from "./check-result";
import type { GatewayClient } from "../client/gateway-client";
import { OPERATIONS, type Scope } from "../contract/operations";

export const SCOPES: readonly Scope[] = [
  ...new Set(Object.values(OPERATIONS).flatMap(({ scope }) => (scope === null ? [] : [scope]))),
];

/** RFC 6749 and RFC 6750: the client is known but may not use this scope. */
const SCOPE_ERRORS: readonly (string | null)[] = [
  "invalid_scope",
  "insufficient_scope",
  "unauthorized_client",
];

/** True if the address has no token service: not found, wrong method or redirect. */
const isNoEndpoint = (status: number | null): boolean =>
  status !== null && (status === 404 || status === 405 || (status >= 300 && status < 400));

/** Stops when the client is refused, because repeated failures can lock it out. */
export async function checkTokens(client: GatewayClient): Promise<readonly CheckResult[]> {
  const { host } = client.tokenService;
  const results: CheckResult[] = [];
  for (const scope of SCOPES) {
    const refused = await client.tokenFault(scope);
    if (refused === null) {
      results.push(checkResult("scope", "ok", "OK", scope));
    } else if (refused.fault !== "TOKEN_REFUSED") {
      return [...results, checkResult("token", "failed", refused.fault, host, refused.detail)];
    } else if (SCOPE_ERRORS.includes(refused.error)) {
      results.push(checkResult("scope", "warning", "SCOPE_REFUSED", scope, refused.detail));
    } else {
      const code = isNoEndpoint(refused.httpStatus) ? "NO_ENDPOINT" : "CLIENT_REFUSED";
      return [...results, checkResult("token", "failed", code, host, refused.detail)];
    }
  }
  return [checkResult("token", "ok", "OK", host), ...results];
}
