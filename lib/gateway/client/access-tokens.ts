import { LOCAL_FAULTS, type LocalFault } from "../contract/local-outcomes";
import type { Exchange } from "../http/exchange";
import type { Scope } from "../contract/operations";
import { readResponse } from "../codec/read-response";
import type { Redactor } from "../codec/redactor";
import type { Timing } from "../http/timing";

export interface TokenFault {
  readonly fault: LocalFault;
  readonly httpStatus: number | null;
  /** As RFC 6749 defines it, such as `invalid_client`. */
  readonly error: string | null;
  readonly detail: string;
}

export type TokenResult =
  | { readonly token: string; readonly fault?: never }
  | (TokenFault & { readonly token?: never });

interface StoredToken {
  readonly token: string;
  readonly renewAt: number;
}

/** Seconds, if the answer has no lifetime (docs/service.md, Tokens). */
const ASSUMED_LIFETIME = 300;
/** Ms before the end of a token, at most a fifth of its lifetime. */
const RENEW_EARLY_MS = 30_000;
/** Ms, so that a burst of messages does not lock the client out. */
const REFUSAL_MS = 5_000;

const MASKED_TOKENS = 16;
/** Characters that a header line can carry. */
const TOKEN = /^[\x21-\x7e]+$/;
/** Servers refuse longer headers, which leaves the outcome of a send unknown. */
const MAX_TOKEN = 16_384;

function unanswered(fault: LocalFault, detail: string): TokenFault {
  const { outcome, retry } = LOCAL_FAULTS[fault];
  // A permanent error, such as refused credentials of the proxy, keeps its name.
  const keeps = outcome !== "unknown" && retry === "never";
  const named = keeps
    ? { fault, detail }
    : { fault: "TOKEN_UNAVAILABLE" as const, detail: `${fault}, ${detail}` };
  return { ...named, httpStatus: null, error: null };
}

/** Reads the response of the token service (docs/service.md, Tokens). */
function readTokenAnswer(
  result: Exchange,
  redactor: Redactor,
): { token: string; lifetime: number } | TokenFault {
  if (result.response === undefined) {
    return unanswered(result.fault, redactor.clean(result.detail));
  }
  const { status } = result.response;
  const data = readResponse("token", result.response).data ?? {};
  const { access_token: token } = data;
  if (status === 200 && typeof token === "string" && token.length <= MAX_TOKEN && TOKEN.test(token)) {
    const lifetime = Number(data.expires_in);
    return { token, lifetime: lifetime > 0 ? lifetime : ASSUMED_LIFETIME };
  }
  const written = (value: unknown): string | null =>
    typeof value === "string" ? redactor.clean(value) : null;
  const error = written(data.error);
  // Drops texts that contain a secret.
  const reason = [data.error, data.error_description]
    .filter((part) => typeof part === "string" && written(part) === part)
    .join(": ");
  const busy = status < 300 || status >= 500 || status === 408 || status === 429;
  return {
    fault: busy ? "TOKEN_UNAVAILABLE" : "TOKEN_REFUSED",
    httpStatus: status,
    error,
    detail: `HTTP ${status}${reason === "" ? "" : `, ${reason}`}`,
  };
}

export class AccessTokens {
  readonly #tokens = new Map<Scope, StoredToken>();
  readonly #pending = new Map<Scope, Promise<TokenResult>>();
  readonly #refused = new Map<Scope, { until: number; result: TokenResult }>();
  readonly #masked: string[] = [];

  constructor(
    private readonly fetchToken: (scope: Scope) => Promise<Exchange>,
    private readonly redactor: Redactor,
    private readonly timing: Timing,
  ) {}

  get(scope: Scope): TokenResult | Promise<TokenResult> {
    const now = this.timing.now();
    const held = this.#tokens.get(scope);
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

  deleteRefusals(): void {
    this.#refused.clear();
  }

  discard(scope: Scope, token: string): void {
    if (this.#tokens.get(scope)?.token === token) {
      this.#tokens.delete(scope);
    }
  }

  async #renew(scope: Scope): Promise<TokenResult> {
    const result = readTokenAnswer(await this.fetchToken(scope), this.redactor);
    const now = this.timing.now();
    if ("fault" in result) {
      if (result.fault === "TOKEN_REFUSED") {
        this.#refused.set(scope, { until: now + REFUSAL_MS, result });
      }
      return result;
    }
    this.#remember(result.token);
    const life = result.lifetime * 1000;
    const held: StoredToken = {
      token: result.token,
      renewAt: now + life - Math.min(RENEW_EARLY_MS, life / 5),
    };
    this.#refused.delete(scope);
    this.#tokens.set(scope, held);
    return held;
  }

  /** Keeps the latest tokens masked, because requests in flight may still carry an older one. */
  #remember(token: string): void {
    const known = this.#masked.indexOf(token);
    if (known >= 0) {
      // A token service issues the same token until it expires, so the token moves behind older ones.
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
