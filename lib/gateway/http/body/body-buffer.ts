const BLOCK = 32 * 1024;

/** Collects the bytes of an answer. Short pieces are copied: a piece of one byte can keep the 64 KiB in memory that it was read into. */
export class BodyBuffer {
  readonly #full: Buffer[] = [];
  #block: Buffer | null = null;
  #used = 0;
  #size = 0;

  add(piece: Buffer): void {
    const first = this.#size === 0;
    this.#size += piece.length;
    // Nearly every answer is a single piece, which needs no copy.
    if (first || piece.length >= BLOCK) {
      this.#seal();
      this.#full.push(piece);
      return;
    }
    if (this.#used + piece.length > BLOCK) {
      this.#seal();
    }
    this.#block ??= Buffer.allocUnsafeSlow(BLOCK);
    this.#used += piece.copy(this.#block, this.#used);
  }

  /** All pieces as one buffer in new memory. */
  join(): Buffer {
    this.#seal();
    return Buffer.concat(this.#full, this.#size);
  }

  #seal(): void {
    if (this.#block !== null) {
      this.#full.push(this.#block.subarray(0, this.#used));
      this.#block = null;
      this.#used = 0;
    }
  }
}
