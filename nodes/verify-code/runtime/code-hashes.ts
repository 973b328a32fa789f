import { createHmac, timingSafeEqual } from "node:crypto";
import type { CodeId, Counted } from "../store/codes";

const SIZE = 32;
/** Stands for a missing code, whose comparison takes as long. */
const NOTHING = Buffer.alloc(SIZE);

/** HMAC-SHA256 hashes of an account, which reveal no codes or numbers without the key. */
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

  /** @param value digits of a number, or a caller */
  ofCounted(kind: Counted["kind"], value: string): string {
    return this.#hash([kind, this.account, value]);
  }

  /** JSON separates the values. */
  #hash(values: readonly string[]): string {
    return createHmac("sha256", this.key).update(JSON.stringify(values)).digest("base64url");
  }
}

/** Compares hashes in constant time. @param stored null without a code */
export function isSameHash(stored: string | null, typed: string): boolean {
  const known = Buffer.from(stored ?? "", "base64url");
  const isWhole = known.length === SIZE;
  const isSame = timingSafeEqual(isWhole ? known : NOTHING, Buffer.from(typed, "base64url"));
  return isWhole && isSame;
}
