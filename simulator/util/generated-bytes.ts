const PERIOD = 251;
const CHUNK = Buffer.from(Array.from({ length: PERIOD * 256 }, (_, index) => index % PERIOD));

/** Generated content of any length that is never completely in memory: the byte at offset i is i mod 251. */
export class GeneratedBytes {
  constructor(readonly length: number) {}

  /** The first `end` bytes in chunks. All chunks are views of the same memory: do not write to them. */
  *chunks(end: number = this.length): Generator<Buffer> {
    for (let at = 0; at < end; at += CHUNK.length) yield CHUNK.subarray(0, Math.min(CHUNK.length, end - at));
  }
}
