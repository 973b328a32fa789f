import { randomBytes } from "node:crypto";
import type { Clock } from "../util/clock";

export const ISSUED_TOKEN = /simulated-bearer-[0-9a-f]{40}/g;

const MAX_TOKENS = 10_000;

interface IssuedToken {
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

export class TokenStore {
  readonly #tokens = new Map<string, IssuedToken>();

  /** @param lifetime seconds */
  constructor(
    private readonly clock: Clock,
    private readonly lifetime: number,
  ) {}

  issue(scopes: readonly string[]): string {
    // Removes the oldest first: a map keeps the order of insertion.
    for (const [token, { expiresAt }] of this.#tokens) {
      if (expiresAt > this.clock.now() && this.#tokens.size < MAX_TOKENS) break;
      this.#tokens.delete(token);
    }
    const token = `simulated-bearer-${randomBytes(20).toString("hex")}`;
    this.#tokens.set(token, { scopes, expiresAt: this.clock.now() + this.lifetime * 1000 });
    return token;
  }

  scopesOf(token: string): readonly string[] | null {
    const issued = this.#tokens.get(token);
    return issued && issued.expiresAt > this.clock.now() ? issued.scopes : null;
  }

  revokeAll(): void {
    this.#tokens.clear();
  }
}
