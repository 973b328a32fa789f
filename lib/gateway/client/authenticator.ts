import { SetupError } from "../../shared/messaging-error";
import type { AccessTokens, TokenResult } from "./access-tokens";
import type { Operation, Scope } from "../contract/operations";
import type { GatewaySettings } from "../contract/settings";

/** What proves who we are on one request. `token` is the bearer token, to be discarded when refused. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly token: string | null;
}

/** Why there is no proof. */
export type NoCredentials = Exclude<TokenResult, { token: string }>;

/** @throws SetupError BAD_CREDENTIALS for a name with a colon: the service would cut it off there */
function basic(label: string, name: string, secret: string): string {
  if (name.includes(":")) {
    throw new SetupError(
      "BAD_CREDENTIALS",
      `The ${label} holds a colon, which HTTP Basic credentials cannot carry in that place. Type it again into the account.`,
    );
  }
  return `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`;
}

const bearer = (token: string): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
  query: "",
  token,
});

/** Builds the proofs of an account once and hands them out per request. Contract: "Authentication". */
export class Authenticator {
  readonly #legacy: Credentials | null;
  readonly #client: Credentials | null;
  /** The same object as long as the token is the same, so that more can be made of it once. */
  readonly #bearers = new Map<Scope, Credentials>();

  /** @throws SetupError BAD_CREDENTIALS */
  constructor(
    { legacy, oauth }: Pick<GatewaySettings, "legacy" | "oauth">,
    private readonly tokens: AccessTokens,
  ) {
    if (legacy !== null && legacy.kind !== "basic" && !/^[\x21-\x7e]+$/.test(legacy.accessToken)) {
      throw new SetupError(
        "BAD_CREDENTIALS",
        "The access token holds a character that no token has, such as a space or line break. Copy it again into the account.",
      );
    }
    this.#legacy =
      legacy === null
        ? null
        : legacy.kind === "basic"
          ? {
              headers: { authorization: basic("user name", legacy.username, legacy.password) },
              query: "",
              token: null,
            }
          : legacy.kind === "token-header"
            ? { headers: { authorization: `Bearer ${legacy.accessToken}` }, query: "", token: null }
            : { headers: {}, query: `access_token=${encodeURIComponent(legacy.accessToken)}`, token: null };
    this.#client =
      oauth === null
        ? null
        : {
            headers: { authorization: basic("client id", oauth.clientId, oauth.clientSecret) },
            query: "",
            token: null,
          };
  }

  /** @throws SetupError NO_CREDENTIALS when the account cannot prove who we are to this operation */
  require(operation: Operation): void {
    if (operation.auth === "legacy" && this.#legacy === null) {
      throw new SetupError(
        "NO_CREDENTIALS",
        "The account has no credentials for this kind of message. Open the account and type in user name and password, or an access token.",
      );
    }
    if (operation.auth !== "legacy" && this.#client === null) {
      throw new SetupError(
        "NO_CREDENTIALS",
        "The account has no OAuth credentials, which this kind of message needs. Open the account and type in client id and client secret.",
      );
    }
  }

  /** The proof for one request, or why there is none. Without a promise where none is needed. */
  prove(operation: Operation): Credentials | Promise<Credentials | NoCredentials> {
    this.require(operation);
    if (operation.auth === "legacy") {
      return this.#legacy as Credentials;
    }
    if (operation.auth === "client") {
      return this.#client as Credentials;
    }
    return this.#bearer(operation.scope as Scope);
  }

  #bearer(scope: Scope): Credentials | Promise<Credentials | NoCredentials> {
    const found = this.tokens.get(scope);
    if (found instanceof Promise || found.fault !== undefined) {
      return Promise.resolve(found).then((result) =>
        result.fault === undefined ? this.#proofOf(scope, result.token) : result,
      );
    }
    return this.#proofOf(scope, found.token);
  }

  #proofOf(scope: Scope, token: string): Credentials {
    const known = this.#bearers.get(scope);
    if (known?.token === token) {
      return known;
    }
    const proof = bearer(token);
    this.#bearers.set(scope, proof);
    return proof;
  }
}
