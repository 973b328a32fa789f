import type { CheckResult } from "../../gateway/connection-test/connection-test";
import type { SecretTexts } from "./stored-secrets";

const isThere = (text: string | undefined): boolean => (text ?? "") !== "";

/** What is missing of the credentials for SMS; null where all or nothing is filled in. The codes are keys of texts. */
function missingForSms(legacyAuth: string, secrets: SecretTexts): string | null {
  if (legacyAuth === "token-header" || legacyAuth === "token-query") {
    return isThere(secrets.accessToken) ? null : "NO_TOKEN";
  }
  const [name, password] = [isThere(secrets.username), isThere(secrets.password)];
  return legacyAuth !== "basic" || name === password ? null : name ? "NO_PASSWORD" : "NO_USERNAME";
}

/** The same for the client. */
function missingForClient(secrets: SecretTexts): string | null {
  const [id, secret] = [isThere(secrets.clientId), isThere(secrets.clientSecret)];
  return id === secret ? null : id ? "NO_SECRET" : "NO_ID";
}

/**
 * The report of a connection test, in which credentials of which a part is missing are failed and not left out: with half of them an account
 * sends nothing, as with none.
 * @param legacyAuth how the account signs in for SMS
 * @param secrets the credentials of the test; a stored one is there as its value
 */
export function nameHalfCredentials(
  lines: readonly CheckResult[],
  legacyAuth: string,
  secrets: SecretTexts,
): readonly CheckResult[] {
  const missing: Readonly<Record<string, string | null>> = {
    "sign-in": missingForSms(legacyAuth, secrets),
    token: missingForClient(secrets),
  };
  return lines.map((line) => {
    const code = line.state === "skipped" && line.code === "NONE" ? (missing[line.check] ?? null) : null;
    return code === null ? line : { ...line, state: "failed", code };
  });
}
