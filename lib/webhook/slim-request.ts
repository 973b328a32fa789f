import type { IncomingMessage } from "node:http";
import type { WebhookAuth } from "./authenticate";

/** What a flow learns about a request. */
export interface SlimRequest {
  /** Blank where it cannot be told. */
  readonly ip: string;
  /** In lower case; without credentials, and without the address that was called, since it may carry the secret. */
  readonly headers: Record<string, string | string[]>;
}

/** Names of headers that are credentials, or sound like it. */
const CREDENTIAL = /authorization|cookie|token|secret|passw|api-?key/;

/** Headers in which proxies repeat the address that was called. */
const ADDRESSES = new Set([
  "referer",
  "x-original-url",
  "x-original-uri",
  "x-rewrite-url",
  "x-forwarded-uri",
  "x-forwarded-url",
  "x-request-uri",
  "x-envoy-original-path",
]);

/** Headers between parts of this package. */
const OWN = "x-messaging-";

/** Characters of a secret from which on it does not stand in a header by chance. */
const TELLING = 8;

/** Prepares the shortening of requests to a webhook with this authentication. */
export function slimmer(auth: WebhookAuth): (req: IncomingMessage, ip: string) => SlimRequest {
  const own = auth.kind === "header" ? auth.name.toLowerCase() : null;
  const secrets = secretsOf(auth)
    .filter((secret) => secret.length >= TELLING)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const isHidden = (name: string): boolean =>
    name === own ||
    ADDRESSES.has(name) ||
    name.startsWith(OWN) ||
    name.startsWith(":") ||
    CREDENTIAL.test(name);
  const tells = (value: string): boolean => secrets.some((secret) => value.includes(secret));
  return ({ headers }, ip) => {
    const kept: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(headers)) {
      if (
        value !== undefined &&
        !isHidden(name) &&
        !(Array.isArray(value) ? value.some(tells) : tells(value))
      ) {
        kept[name] = value;
      }
    }
    return { ip, headers: kept };
  };
}

function secretsOf(auth: WebhookAuth): string[] {
  switch (auth.kind) {
    case "none":
      return [];
    case "basic":
      return auth.users.map(({ password }) => password);
    case "query":
    case "header":
      return [...auth.secrets];
  }
}
