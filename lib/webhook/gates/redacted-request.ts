import type { IncomingMessage } from "node:http";
import type { WebhookAuth } from "./authenticate";
import { holdsSecret } from "./holds-secret";

/** The facts about a request that a flow gets. */
export interface RedactedRequest {
  /** Blank if it is unknown. */
  readonly ip: string;
  /** In lower case: those of `PASSED_HEADERS` that the request has and that do not hold the secret. */
  readonly headers: Record<string, string | string[]>;
}

/** Headers that a flow gets. Proxies put credentials and the secret address into headers of any name, so all others are left out. */
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

/** Prepares the shortening of requests to a webhook with this authentication. */
export function requestRedactor(auth: WebhookAuth): (req: IncomingMessage, ip: string) => RedactedRequest {
  const own = auth.method === "header" ? auth.name.toLowerCase() : null;
  const names = PASSED_HEADERS.filter((name) => name !== own);
  const secrets = secretsOf(auth);
  const tells = (value: string): boolean => secrets.some((secret) => holdsSecret(value, secret));
  return ({ headers }, ip) => {
    const kept: Record<string, string | string[]> = {};
    for (const name of names) {
      const value = headers[name];
      if (value !== undefined && !(Array.isArray(value) ? value.some(tells) : tells(value))) {
        kept[name] = value;
      }
    }
    return { ip, headers: kept };
  };
}

function secretsOf(auth: WebhookAuth): readonly string[] {
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
