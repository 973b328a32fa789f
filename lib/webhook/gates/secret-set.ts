import { hash, timingSafeEqual } from "node:crypto";

/** Accepted secrets, kept as hashes. A comparison takes the same time for every wrong secret, and whichever secret matches. */
export class SecretSet {
  readonly #digests: readonly Buffer[];

  /** @param secrets blank ones are left out: they would accept callers without credentials */
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
      // The comparison is the first operand, so that it runs also after a match.
      found = timingSafeEqual(one, wanted) || found;
    }
    return found;
  }
}

const digest = (bytes: Buffer): Buffer => hash("sha256", bytes, "buffer");

/** Headers declare no encoding: senders write UTF-8 or Latin-1. One character per byte. */
function spellings(secret: string): Set<string> {
  const latin1 = Buffer.from(secret, "latin1").toString("latin1");
  return new Set([Buffer.from(secret).toString("latin1"), ...(latin1 === secret ? [latin1] : [])]);
}
