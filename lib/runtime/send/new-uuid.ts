import { randomFillSync } from "node:crypto";

const BATCH = 256;
const random = Buffer.alloc(16 * BATCH);
let used = random.length;
/** Text buffer of a UUID; each call overwrites its digits. */
const text = Buffer.from("00000000-0000-4000-8000-000000000000", "latin1");
const DIGITS = Buffer.from("0123456789abcdef", "latin1");
/** Offset of the two digits of each byte in the text. */
const OFFSETS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/**
 * A UUID that grows with time (version 7), so that an index of many grows at its end, as a flat string. `randomUUID` builds one from two
 * dozen pieces, which costs memory.
 */
export function newUuid(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const now = Date.now();
  random.writeUInt16BE(Math.floor(now / 2 ** 32), used);
  random.writeUInt32BE(now % 2 ** 32, used + 2);
  random[used + 6] = ((random[used + 6] as number) & 0x0f) | 0x70;
  random[used + 8] = ((random[used + 8] as number) & 0x3f) | 0x80;
  for (let at = 0; at < 16; at++) {
    const byte = random[used + at] as number;
    const offset = OFFSETS[at] as number;
    text[offset] = DIGITS[byte >> 4] as number;
    text[offset + 1] = DIGITS[byte & 15] as number;
  }
  used += 16;
  return text.toString("latin1", 0, 36);
}
