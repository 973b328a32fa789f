/** A limit on the bytes that several users hold at the same time. */
export class ByteAllowance {
  readonly #max: number;
  #held = 0;

  /** @param max bytes */
  constructor(max: number) {
    this.#max = max;
  }

  get held(): number {
    return this.#held;
  }

  /** Reserves bytes; returns false and reserves none if the limit would be exceeded. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#max) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
