/** A limit on the bytes that several users hold at the same time. */
export class ByteAllowance {
  #held = 0;

  /** @param max bytes */
  constructor(private readonly max: number) {}

  /** Reserves bytes; returns false and reserves none if the limit would be exceeded. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.max) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
