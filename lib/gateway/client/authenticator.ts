import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import type { AccessTokens, TokenFault } from "./access-tokens";
import type { Operation, Scope } from "../contract/operations";
import type { GatewaySettings } from "../contract/settings";

/** The credentials of one request. `token` is the bearer token, to be discarded when the service refuses it. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly token: string | null;
}

/** @throws SetupError BAD_CREDENTIALS for a name with a colon: HTTP Basic ends the name at the first colon */
function basic(which: "username" | "client-id", name: string, secret: string): string {
  if (name.includes(":")) {
    throw new SetupError("BAD_CREDENTIALS", say(`service.colon.${which}`));
  }
  return `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`;
}

const bearer = (token: string): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
  query: "",
  token,
});

/** Builds the credentials of an account once and hands them out per request. docs/service.md, Authentication. */
export class Authenticator {
  readonly #legacy: Credentials | null;
  readonly #client: Credentials | null;
  /** The same object while the token stays the same, so that request headers can be cached by it. */
  readonly #bearers = new Map<Scope, Credentials>();

  /** @throws SetupError BAD_CREDENTIALS */
  constructor(
    { legacy, oauth }: Pick<GatewaySettings, "legacy" | "oauth">,
    private readonly tokens: AccessTokens,
  ) {
    if (legacy !== null && legacy.method !== "basic" && !/^[\x21-\x7e]+$/.test(legacy.accessToken)) {
      throw new SetupError("BAD_CREDENTIALS", say("service.token-character"));
    }
    this.#legacy =
      legacy === null
        ? null
        : legacy.method === "basic"
          ? {
              headers: { authorization: basic("username", legacy.username, legacy.password) },
              query: "",
              token: null,
            }
          : legacy.method === "token-header"
            ? { headers: { authorization: `Bearer ${legacy.accessToken}` }, query: "", token: null }
            : { headers: {}, query: `access_token=${encodeURIComponent(legacy.accessToken)}`, token: null };
    this.#client =
      oauth === null
        ? null
        : {
            headers: { authorization: basic("client-id", oauth.clientId, oauth.clientSecret) },
            query: "",
            token: null,
          };
  }

  /** @throws SetupError NO_CREDENTIALS when the account has no credentials for this operation */
  require(operation: Operation): void {
    if (operation.auth === "legacy" && this.#legacy === null) {
      throw new SetupError("NO_CREDENTIALS", say("service.no-credentials.legacy"));
    }
    if (operation.auth !== "legacy" && this.#client === null) {
      throw new SetupError("NO_CREDENTIALS", say("service.no-credentials.oauth"));
    }
  }

  /** The credentials for one request, or the fault of the token service. A promise only while a token is fetched. */
  credentialsFor(operation: Operation): Credentials | Promise<Credentials | TokenFault> {
    this.require(operation);
    if (operation.auth === "legacy") {
      return this.#legacy as Credentials;
    }
    if (operation.auth === "client") {
      return this.#client as Credentials;
    }
    return this.#bearer(operation.scope as Scope);
  }

  #bearer(scope: Scope): Credentials | Promise<Credentials | TokenFault> {
    const found = this.tokens.get(scope);
    if (found instanceof Promise || found.fault !== undefined) {
      return Promise.resolve(found).then((result) =>
        result.fault === undefined ? this.#bearerCredentials(scope, result.token) : result,
      );
    }
    return this.#bearerCredentials(scope, found.token);
  }

  #bearerCredentials(scope: Scope, token: string): Credentials {
    const known = this.#bearers.get(scope);
    if (known?.token === token) {
      return known;
    }
    const credentials = bearer(token);
    this.#bearers.set(scope, credentials);
    return credentials;
  }
}
