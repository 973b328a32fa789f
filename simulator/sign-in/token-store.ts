import { randomBytes } from "node:crypto";
import type { Clock } from "../util/clock";

/** Recognises a bearer token of the simulator wherever it turns up. */
export const ISSUED_TOKEN = /simulated-bearer-[0-9a-f]{40}/g;

const MOST_TOKENS = 10_000;

interface IssuedToken {
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

/** The bearer tokens of one account: which scopes each has, and until when. */
export class TokenStore {
  readonly #clock: Clock;
  readonly #lifetime: number;
  readonly #tokens = new Map<string, IssuedToken>();

  /** @param lifetime seconds */
  constructor(clock: Clock, lifetime: number) {
    this.#clock = clock;
    this.#lifetime = lifetime;
  }

  issue(scopes: readonly string[]): string {
    // The oldest go first: a map keeps the order of insertion.
    for (const [token, { expiresAt }] of this.#tokens) {
      if (expiresAt > this.#clock.now() && this.#tokens.size < MOST_TOKENS) break;
      this.#tokens.delete(token);
    }
    const token = `simulated-bearer-${randomBytes(20).toString("hex")}`;
    this.#tokens.set(token, { scopes, expiresAt: this.#clock.now() + this.#lifetime * 1000 });
    return token;
  }

  /** Scopes of a token that is valid now; null for one that is unknown, expired or revoked. */
  scopesOf(token: string): readonly string[] | null {
    const issued = this.#tokens.get(token);
    return issued && issued.expiresAt > this.#clock.now() ? issued.scopes : null;
  }

  revokeAll(): void {
    this.#tokens.clear();
  }
}
