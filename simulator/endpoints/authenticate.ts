import type { IncomingHttpHeaders } from "node:http";
import type { SimulatorCredentials } from "../sign-in/credentials";
import { decodeForm, type RawFields } from "../request/decode-body";
import type { AuthStyle, Endpoint } from "./endpoint";
import type { Refusal, RefusalCode } from "../rules/field-rules";
import { sameSecret } from "../util/same-secret";
import type { TokenStore } from "../sign-in/token-store";

type Presented =
  | { readonly scheme: "basic"; readonly user: string; readonly password: string }
  | { readonly scheme: "bearer" | "query"; readonly token: string };

const UNAUTHENTICATED: Readonly<Record<AuthStyle, RefusalCode>> = {
  legacy: 4001,
  client: "invalid_client",
  bearer: "invalid_token",
};

/** Checks the credentials of a request. Null if they are valid; otherwise HTTP 401, 403 for a missing scope, or 400 for several credentials. */
export function authenticate(
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
  query: string,
  credentials: SimulatorCredentials,
  tokens: TokenStore,
): Refusal | null {
  const code = UNAUTHENTICATED[endpoint.auth];
  const all = [...headerCredentials(headers), ...(endpoint.auth === "legacy" ? queryCredentials(query) : [])];
  const [presented] = all;
  if (!presented) return { code, httpStatus: 401, reason: "no credentials" };
  if (all.length > 1) return { code: null, reason: "credentials are given in more than one way" };
  if (endpoint.auth === "bearer") return checkBearer(presented, endpoint.scope, tokens);
  const accepted =
    endpoint.auth === "legacy"
      ? isLegacyUser(presented, credentials)
      : isUser(presented, credentials.clientId, credentials.clientSecret);
  return accepted ? null : { code, httpStatus: 401, reason: "wrong credentials" };
}

function isLegacyUser(
  presented: Presented,
  { username, password, accessToken }: SimulatorCredentials,
): boolean {
  return presented.scheme === "basic"
    ? isUser(presented, username, password)
    : sameSecret(presented.token, accessToken);
}

function isUser(presented: Presented, user: string, password: string): boolean {
  return (
    presented.scheme === "basic" &&
    sameSecret(presented.user, user) &&
    sameSecret(presented.password, password)
  );
}

function checkBearer(presented: Presented, scope: string | null, tokens: TokenStore): Refusal | null {
  const scopes = presented.scheme === "basic" ? null : tokens.scopesOf(presented.token);
  if (!scopes) return { code: "invalid_token", httpStatus: 401, reason: "no valid bearer token" };
  if (scope === null || scopes.includes(scope)) return null;
  return { code: "insufficient_scope", httpStatus: 403, reason: `scope ${scope} is missing` };
}

function headerCredentials({ authorization }: IncomingHttpHeaders): Presented[] {
  if (authorization === undefined) return [];
  const [, scheme = "", value = ""] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return [{ scheme: "bearer", token: value }];
  if (scheme.toLowerCase() !== "basic") return [];
  const [, user = "", password = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, "base64").toString()) ?? [];
  return [{ scheme: "basic", user, password }];
}

function queryCredentials(query: string): Presented[] {
  let parameters: RawFields;
  try {
    parameters = decodeForm(query);
  } catch {
    // An undecodable query holds no credentials; a later check refuses it if the caller is authenticated.
    return [];
  }
  return (parameters.get("access_token") ?? []).map((token) => ({ scheme: "query", token: String(token) }));
}
