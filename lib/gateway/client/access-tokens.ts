import type { LocalFault } from "../contract/local-outcomes";
import type { Exchange } from "../http/exchange";
import type { Scope } from "../contract/operations";
import { readAnswer } from "../codec/read-answer";
import type { Redactor } from "../codec/redactor";
import type { Timing } from "../http/timing";

export type TokenResult =
  | { readonly token: string; readonly fault?: never }
  | { readonly token?: never; readonly fault: LocalFault; readonly detail: string };

interface Held {
  readonly token: string;
  /** Epoch ms from which on a new one is fetched. */
  readonly renewAt: number;
}

/** Seconds to assume where the answer does not say how long a token lasts: the contract's example. */
const ASSUMED_LIFETIME = 300;
/** ms before the end at which a token is renewed, or a fifth of its life where that is shorter. */
const EARLY = 30_000;
/** ms for which a refusal is remembered, so that a burst of messages does not lock the client out. */
const REFUSAL_KEPT = 5_000;

/** Tokens, old ones included, that stay masked in every text. */
const MASKED_TOKENS = 16;
/** What can stand in a header line; a "token" with anything else in it is none. */
const TOKEN = /^[\x21-\x7e]+$/;
/** Characters of a token at most: servers refuse longer headers, and then nobody knows what became of the message. */
const LONGEST_TOKEN = 16_384;
/** Faults that mean the same on the way to the token service as on the way to the service. */
const OWN_NAME: ReadonlySet<LocalFault> = new Set(["CLOSING", "PROXY_DENIED"]);

/** What the token service's answer means. Contract: "POST {auth_url}/oauth/token". */
function readTokenAnswer(
  result: Exchange,
): { token: string; lifetime: number } | { fault: LocalFault; detail: string } {
  if (result.answer === undefined) {
    return OWN_NAME.has(result.fault)
      ? result
      : { fault: "TOKEN_UNAVAILABLE", detail: `${result.fault}, ${result.detail}` };
  }
  const { status } = result.answer;
  const data = readAnswer("token", result.answer).data ?? {};
  const { access_token: token } = data;
  if (status === 200 && typeof token === "string" && token.length <= LONGEST_TOKEN && TOKEN.test(token)) {
    const lifetime = Number(data.expires_in);
    return { token, lifetime: lifetime > 0 ? lifetime : ASSUMED_LIFETIME };
  }
  const reason = [data.error, data.error_description].filter((part) => typeof part === "string").join(": ");
  const detail = `HTTP ${status}${reason === "" ? "" : `, ${reason}`}`;
  const busy = status < 300 || status >= 500 || status === 408 || status === 429;
  return { fault: busy ? "TOKEN_UNAVAILABLE" : "TOKEN_REFUSED", detail };
}

/** OAuth tokens of one account: one per scope, one request at a time for each, renewed before they expire. */
export class AccessTokens {
  readonly #held = new Map<Scope, Held>();
  readonly #pending = new Map<Scope, Promise<TokenResult>>();
  readonly #refused = new Map<Scope, { until: number; result: TokenResult }>();

  readonly #masked: string[] = [];

  constructor(
    private readonly fetchToken: (scope: Scope) => Promise<Exchange>,
    private readonly redactor: Redactor,
    private readonly timing: Timing,
  ) {}

  /** The token for a scope; many callers at once cause one request. */
  get(scope: Scope): TokenResult | Promise<TokenResult> {
    const now = this.timing.now();
    const held = this.#held.get(scope);
    if (held !== undefined && now < held.renewAt) {
      return held;
    }
    const refused = this.#refused.get(scope);
    if (refused !== undefined && now < refused.until) {
      return refused.result;
    }
    const pending = this.#pending.get(scope) ?? this.#renew(scope).finally(() => this.#pending.delete(scope));
    this.#pending.set(scope, pending);
    return pending;
  }

  /** Drops a token that the service did not accept, unless a newer one is already held. */
  discard(scope: Scope, token: string): void {
    if (this.#held.get(scope)?.token === token) {
      this.#held.delete(scope);
    }
  }

  async #renew(scope: Scope): Promise<TokenResult> {
    const result = readTokenAnswer(await this.fetchToken(scope));
    const now = this.timing.now();
    if ("fault" in result) {
      const fault: TokenResult = { fault: result.fault, detail: this.redactor.clean(result.detail) };
      if (result.fault === "TOKEN_REFUSED") {
        this.#refused.set(scope, { until: now + REFUSAL_KEPT, result: fault });
      }
      return fault;
    }
    this.#remember(result.token);
    const life = result.lifetime * 1000;
    const held: Held = { token: result.token, renewAt: now + life - Math.min(EARLY, life / 5) };
    this.#refused.delete(scope);
    this.#held.set(scope, held);
    return held;
  }

  /** Requests under way may still carry an older token, so a few of them stay masked too. */
  #remember(token: string): void {
    const known = this.#masked.indexOf(token);
    if (known >= 0) {
      // Token services give the same token out again until it expires: it must outlast those that came before.
      this.#masked.splice(known, 1);
    } else {
      this.redactor.add(token);
    }
    this.#masked.push(token);
    if (this.#masked.length > MASKED_TOKENS) {
      this.redactor.remove(this.#masked.shift() ?? "");
    }
  }
}
