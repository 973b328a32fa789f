import type { IncomingMessage } from "node:http";
import type { WebhookAuth } from "./authenticate";
import { containsSecret } from "./contains-secret";

export interface RedactedRequest {
  readonly ip: string;
  /** Only `PASSED_HEADERS` without the secret, in lower case. */
  readonly headers: Record<string, string | string[]>;
}

/** Other headers may contain credentials of a proxy. */
export const PASSED_HEADERS = [
  "content-type",
  "content-length",
  "content-language",
  "user-agent",
  "date",
  "host",
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-real-ip",
  "x-request-id",
  "x-correlation-id",
  "traceparent",
  "tracestate",
] as const;

export function requestRedactor(auth: WebhookAuth): (req: IncomingMessage, ip: string) => RedactedRequest {
  const own = auth.method === "header" ? auth.name.toLowerCase() : null;
  const names = PASSED_HEADERS.filter((name) => name !== own);
  const secrets = getSecrets(auth);
  const containsAny = (value: string): boolean => secrets.some((secret) => containsSecret(value, secret));
  return ({ headers }, ip) => {
    const kept: Record<string, string | string[]> = {};
    for (const name of names) {
      const value = headers[name];
      if (value !== undefined && !(Array.isArray(value) ? value.some(containsAny) : containsAny(value))) {
        kept[name] = value;
      }
    }
    return { ip, headers: kept };
  };
}

function getSecrets(auth: WebhookAuth): readonly string[] {
  switch (auth.method) {
    case "none":
      return [];
    case "basic":
      return auth.users.map(({ password }) => password);
    case "query":
    case "header":
      return auth.secrets;
  }
}
