import { hasControlCharacter } from "../../shared/characters";
import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import type { AccessTokens, TokenFault, TokenResult } from "./access-tokens";
import type { Operation, Scope } from "../contract/operations";
import type { GatewaySettings, LegacyCredentials } from "../contract/settings";
import type { CancelSignal } from "../http/cancel-signal";

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly token: string | null;
}

const STOPPED: TokenFault = { fault: "CLOSING", httpStatus: null, error: null, detail: "" };

const inHeader = (authorization: string, token: string | null = null): Credentials => ({
  headers: { authorization },
  query: "",
  token,
});

const bearer = (token: string): Credentials => inHeader(`Bearer ${token}`, token);
const toCredentials = (found: TokenResult): Credentials | TokenFault =>
  found.fault === undefined ? bearer(found.token) : found;

/** @throws SetupError BAD_CREDENTIALS for control characters, which HTTP Basic does not allow (RFC 7617) */
function refuseControl(field: "username" | "password" | "clientId" | "clientSecret", text: string): void {
  if (hasControlCharacter(text)) {
    throw new SetupError("BAD_CREDENTIALS", say("service.control", { label: say(`account.label.${field}`) }));
  }
}

/** @throws SetupError BAD_CREDENTIALS, also for a name with a colon: HTTP Basic ends the name at the first colon */
function basic(which: "username" | "clientId", name: string, secret: string): Credentials {
  if (name.includes(":")) {
    throw new SetupError("BAD_CREDENTIALS", say(`service.colon.${which}`));
  }
  refuseControl(which, name);
  refuseControl(which === "username" ? "password" : "clientSecret", secret);
  return inHeader(`Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`);
}

function legacyCredentials(legacy: LegacyCredentials): Credentials {
  if (legacy.method === "basic") {
    return basic("username", legacy.username, legacy.password);
  }
  const { method, accessToken } = legacy;
  if (!/^[\x21-\x7e]+$/.test(accessToken)) {
    throw new SetupError("BAD_CREDENTIALS", say("service.token-character"));
  }
  return method === "token-header"
    ? inHeader(`Bearer ${accessToken}`)
    : { headers: {}, query: `access_token=${encodeURIComponent(accessToken)}`, token: null };
}

export class Authenticator {
  readonly #legacy: Credentials | null;
  readonly #client: Credentials | null;

  /** @throws SetupError BAD_CREDENTIALS */
  constructor(
    { legacy, oauth }: Pick<GatewaySettings, "legacy" | "oauth">,
    private readonly tokens: AccessTokens,
  ) {
    this.#legacy = legacy && legacyCredentials(legacy);
    this.#client = oauth && basic("clientId", oauth.clientId, oauth.clientSecret);
  }

  /** @throws SetupError NO_CREDENTIALS */
  require(operation: Operation): void {
    const { auth } = operation;
    if ((auth === "legacy" ? this.#legacy : this.#client) === null) {
      throw new SetupError(
        "NO_CREDENTIALS",
        say(`service.no-credentials.${auth === "legacy" ? "legacy" : "oauth"}`),
      );
    }
  }

  /** Returns a promise only while a token is fetched. @throws SetupError NO_CREDENTIALS */
  credentialsFor(
    operation: Operation,
    stopNew: CancelSignal,
  ): Credentials | Promise<Credentials | TokenFault> {
    this.require(operation);
    if (operation.auth === "legacy") {
      return this.#legacy as Credentials;
    }
    if (operation.auth === "client") {
      return this.#client as Credentials;
    }
    const credentials = this.#bearer(operation.scope as Scope);
    return credentials instanceof Promise
      ? stopNew.orNull(credentials).then((found) => found ?? STOPPED)
      : credentials;
  }

  refused({ scope }: Operation, token: string): void {
    this.tokens.discard(scope as Scope, token);
  }

  #bearer(scope: Scope): Credentials | Promise<Credentials | TokenFault> {
    const found = this.tokens.get(scope);
    return found instanceof Promise || found.fault !== undefined
      ? Promise.resolve(found).then(toCredentials)
      : bearer(found.token);
  }
}
