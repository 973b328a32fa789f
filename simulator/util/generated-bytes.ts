const PERIOD = 251;
const PIECE = Buffer.from(Array.from({ length: PERIOD * 256 }, (_, index) => index % PERIOD));

/** Any number of bytes that are never in memory together: the one at offset i is i mod 251. */
export class GeneratedBytes {
  constructor(readonly length: number) {}

  /** The first `end` bytes, in pieces. Every piece is a view of the same memory: don't write into it. */
  *chunks(end: number = this.length): Generator<Buffer> {
    for (let at = 0; at < end; at += PIECE.length) yield PIECE.subarray(0, Math.min(PIECE.length, end - at));
  }
}
