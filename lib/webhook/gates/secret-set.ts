import { hash, timingSafeEqual } from "node:crypto";

/** Compares hashes, so that time does not depend on the secret. */
export class SecretSet {
  readonly #digests: readonly Buffer[];

  /** @param secrets blank ones would accept callers without credentials */
  constructor(secrets: readonly string[]) {
    this.#digests = secrets
      .filter((secret) => secret !== "")
      .flatMap((secret) => [...spellings(secret)].map((bytes) => digest(Buffer.from(bytes, "latin1"))));
  }

  get isEmpty(): boolean {
    return this.#digests.length === 0;
  }

  has(given: Buffer): boolean {
    const wanted = digest(given);
    let found = false;
    for (const one of this.#digests) {
      // Compares all secrets, also after a match.
      found = timingSafeEqual(one, wanted) || found;
    }
    return found;
  }
}

const digest = (bytes: Buffer): Buffer => hash("sha256", bytes, "buffer");

function spellings(secret: string): Set<string> {
  const latin1 = Buffer.from(secret, "latin1").toString("latin1");
  return new Set([Buffer.from(secret).toString("latin1"), ...(latin1 === secret ? [latin1] : [])]);
}
