import { createHmac, timingSafeEqual } from "node:crypto";
import type { CodeId, Counted } from "../store/codes";

/** Bytes of a hash. */
const SIZE = 32;
/** Compared with where there is no code, so that this takes as long. */
const NOTHING = Buffer.alloc(SIZE);

/** Keyed hashes of an account, as HMAC-SHA256: without the key nobody can try codes or numbers against what is stored. */
export class CodeHashes {
  /** @param account its name in the store */
  constructor(
    private readonly key: Buffer,
    private readonly account: string,
  ) {}

  /** @param code as `plainCode` gives it */
  ofCode({ purpose, number }: CodeId, code: string): string {
    return this.#hash(["code", this.account, purpose, number, code]);
  }

  /** @param value digits of a number, or what a caller is told by */
  ofCounted(kind: Counted["kind"], value: string): string {
    return this.#hash([kind, this.account, value]);
  }

  /** JSON keeps the values apart: no two lists of texts are the same text. */
  #hash(values: readonly string[]): string {
    return createHmac("sha256", this.key).update(JSON.stringify(values)).digest("base64url");
  }
}

/** Compares in a time that does not depend on the hashes. @param stored null where there is no code; then never the same */
export function isSameHash(stored: string | null, typed: string): boolean {
  const known = Buffer.from(stored ?? "", "base64url");
  const isWhole = known.length === SIZE;
  const isSame = timingSafeEqual(isWhole ? known : NOTHING, Buffer.from(typed, "base64url"));
  return isWhole && isSame;
}
