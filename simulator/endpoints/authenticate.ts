import type { IncomingHttpHeaders } from "node:http";
import type { SimulatorCredentials } from "../sign-in/credentials";
import { decodeForm, type RawFields } from "../request/decode-body";
import type { AuthStyle, Endpoint } from "./endpoint";
import type { Refusal, Verdict } from "../rules/field-rules";
import { sameSecret } from "../util/same-secret";
import type { TokenStore } from "../sign-in/token-store";

type Proof =
  | { readonly scheme: "basic"; readonly user: string; readonly password: string }
  | { readonly scheme: "bearer" | "query"; readonly token: string };

const NOT_ACCEPTED: Readonly<Record<AuthStyle, Verdict>> = {
  legacy: 4001,
  client: "invalid_client",
  bearer: "invalid_token",
};

/** Checks who is calling. Null when that is settled; the refusal carries HTTP 401, or 403 for a missing scope. */
export function authenticate(
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
  query: string,
  credentials: SimulatorCredentials,
  tokens: TokenStore,
): Refusal | null {
  const verdict = NOT_ACCEPTED[endpoint.auth];
  const proofs = [...proofsInHeader(headers), ...(endpoint.auth === "legacy" ? proofsInQuery(query) : [])];
  const [proof] = proofs;
  if (!proof) return { verdict, httpStatus: 401, reason: "no credentials" };
  if (proofs.length > 1) return { verdict: null, reason: "credentials are given in more than one way" };
  if (endpoint.auth === "bearer") return checkBearer(proof, endpoint.scope, tokens);
  const accepted =
    endpoint.auth === "legacy"
      ? isLegacyUser(proof, credentials)
      : isUser(proof, credentials.clientId, credentials.clientSecret);
  return accepted ? null : { verdict, httpStatus: 401, reason: "wrong credentials" };
}

function isLegacyUser(proof: Proof, { username, password, accessToken }: SimulatorCredentials): boolean {
  return proof.scheme === "basic" ? isUser(proof, username, password) : sameSecret(proof.token, accessToken);
}

function isUser(proof: Proof, user: string, password: string): boolean {
  return proof.scheme === "basic" && sameSecret(proof.user, user) && sameSecret(proof.password, password);
}

function checkBearer(proof: Proof, scope: string | null, tokens: TokenStore): Refusal | null {
  const scopes = proof.scheme === "basic" ? null : tokens.scopesOf(proof.token);
  if (!scopes) return { verdict: "invalid_token", httpStatus: 401, reason: "no valid bearer token" };
  if (scope === null || scopes.includes(scope)) return null;
  return { verdict: "insufficient_scope", httpStatus: 403, reason: `scope ${scope} is missing` };
}

function proofsInHeader({ authorization }: IncomingHttpHeaders): Proof[] {
  if (authorization === undefined) return [];
  const [, scheme = "", value = ""] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return [{ scheme: "bearer", token: value }];
  if (scheme.toLowerCase() !== "basic") return [];
  const [, user = "", password = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, "base64").toString()) ?? [];
  return [{ scheme: "basic", user, password }];
}

function proofsInQuery(query: string): Proof[] {
  let parameters: RawFields;
  try {
    parameters = decodeForm(query);
  } catch {
    // An unreadable query proves nothing; it is refused as such once the caller is known.
    return [];
  }
  return (parameters.get("access_token") ?? []).map((token) => ({ scheme: "query", token: String(token) }));
}
