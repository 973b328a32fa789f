import { type CheckResult, checkResult } from "./check-result";
import type { GatewayClient } from "../client/gateway-client";
import { OPERATIONS, type Scope } from "../contract/operations";

/** Every scope that an operation asks for, each once. */
export const SCOPES: readonly Scope[] = [
  ...new Set(Object.values(OPERATIONS).flatMap(({ scope }) => (scope === null ? [] : [scope]))),
];

/** The word of RFC 6749 that a refusal gives as its reason, or an empty text. */
const reasonOf = (detail: string): string => /^HTTP \d+, (\w+)/.exec(detail)?.[1] ?? "";

/**
 * Asks the token service for each scope, one after the other. Where the client itself is refused or nobody answers,
 * it asks no further: many wrong sign-ins in a row get a client locked out.
 */
export async function checkTokens(client: GatewayClient): Promise<readonly CheckResult[]> {
  const { host } = client.tokenService;
  const lines: CheckResult[] = [];
  for (const scope of SCOPES) {
    const refused = await client.tokenFault(scope);
    if (refused === null) {
      lines.push(checkResult("scope", "ok", "OK", scope));
    } else if (refused.fault !== "TOKEN_REFUSED") {
      return [...lines, checkResult("token", "failed", refused.fault, host, refused.detail)];
    } else if (isAboutScope(refused.detail)) {
      lines.push(checkResult("scope", "warning", "SCOPE_REFUSED", scope, refused.detail));
    } else {
      const code = /^HTTP (404|405|3\d\d)\b/.test(refused.detail) ? "NO_ENDPOINT" : "CLIENT_REFUSED";
      return [...lines, checkResult("token", "failed", code, host, refused.detail)];
    }
  }
  return [checkResult("token", "ok", "OK", host), ...lines];
}

/** A client may be known and yet not allowed this one scope. */
const isAboutScope = (detail: string): boolean =>
  ["invalid_scope", "insufficient_scope", "unauthorized_client"].includes(reasonOf(detail));
