const BLOCK = 32 * 1024;

/**
 * The bytes of an answer as they come, until they are needed together. A piece is a view of the memory that was
 * read from the connection, which holds framing as well: kept as it is, a single byte can hold 64 KiB. So short
 * pieces are copied together, and what is kept is at most a few times as large as what was said.
 */
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
