import type { CheckResult } from "../../gateway/connection-test/connection-test";
import type { SecretTexts } from "./stored-secrets";

const isThere = (text: string | undefined): boolean => (text ?? "") !== "";

/** Returns the key of the text for the missing SMS credential; null if both or neither is set. */
function missingForSms(legacyAuth: string, secrets: SecretTexts): string | null {
  if (legacyAuth === "token-header" || legacyAuth === "token-query") {
    return isThere(secrets.accessToken) ? null : "NO_TOKEN";
  }
  const [name, password] = [isThere(secrets.username), isThere(secrets.password)];
  return legacyAuth !== "basic" || name === password ? null : name ? "NO_PASSWORD" : "NO_USERNAME";
}

function missingForClient(secrets: SecretTexts): string | null {
  const [id, secret] = [isThere(secrets.clientId), isThere(secrets.clientSecret)];
  return id === secret ? null : id ? "NO_SECRET" : "NO_ID";
}

/** Reports incomplete credentials as failed: an account sends nothing with half of them, as with none. */
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
