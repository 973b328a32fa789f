/** GSM 7-bit (3GPP TS 23.038) if it has all characters, otherwise UCS-2. */

export type SmsEncoding = "gsm" | "ucs2";

export interface SmsSize {
  readonly encoding: SmsEncoding;
  readonly characters: number;
  /** 0 for an empty text. */
  readonly segments: number;
  /** In GSM characters or UTF-16 units. */
  readonly left: number;
}

const ROOM: Readonly<Record<SmsEncoding, { readonly alone: number; readonly joined: number }>> = {
  gsm: { alone: 160, joined: 153 },
  ucs2: { alone: 70, joined: 67 },
};

const BASIC: ReadonlySet<string> = new Set(
  [
    // By code from 00 to 7F. 1B is the escape to the extension.
    "@£$¥èéùìòÇ\nØø\rÅå",
    "Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ",
    " !\"#¤%&'()*+,-./",
    "0123456789:;<=>?",
    "¡ABCDEFGHIJKLMNO",
    "PQRSTUVWXYZÄÖÑÜ§",
    "¿abcdefghijklmno",
    "pqrstuvwxyzäöñüà",
  ].join(""),
);

const EXTENSION: ReadonlySet<string> = new Set("\f^{}\\[~]|€");

/** Each character takes one septet. */
const PLAIN = new RegExp(`^[${[...BASIC].join("").replace(/[\\\]^-]/g, "\\$&")}]*$`);

export const isOutsideGsm = (character: string): boolean =>
  !BASIC.has(character) && !EXTENSION.has(character);

export const countsTwice = (character: string): boolean => EXTENSION.has(character);

export function measureSms(text: string): SmsSize {
  const characters = Array.from(text);
  const encoding: SmsEncoding = characters.some(isOutsideGsm) ? "ucs2" : "gsm";
  const getWidth =
    encoding === "gsm" ? (one: string) => (countsTwice(one) ? 2 : 1) : (one: string) => one.length;
  const { alone, joined } = ROOM[encoding];
  let total = 0;
  let segments = characters.length === 0 ? 0 : 1;
  let used = 0;
  for (const character of characters) {
    const width = getWidth(character);
    total += width;
    // A character of two septets is not split between segments.
    if (used + width > joined) {
      segments++;
      used = 0;
    }
    used += width;
  }
  const [count, room, taken] =
    total <= alone ? [Math.min(segments, 1), alone, total] : [segments, joined, used];
  return { encoding, characters: characters.length, segments: count, left: room - taken };
}

export function countSegments(text: string): number {
  const { length } = text;
  return length <= ROOM.ucs2.alone || (length <= ROOM.gsm.alone && PLAIN.test(text))
    ? 1
    : measureSms(text).segments;
}

interface BilledFields {
  readonly messageContent?: unknown;
  readonly maxSmsPerMessage?: unknown;
}

/** At least one. 0 in `maxSmsPerMessage` allows any number. */
export function billedSms({ messageContent, maxSmsPerMessage }: BilledFields): number {
  if (typeof messageContent !== "string") {
    return 1;
  }
  const segments = countSegments(messageContent);
  return typeof maxSmsPerMessage === "number" && maxSmsPerMessage > 0
    ? Math.min(segments, maxSmsPerMessage)
    : segments;
}
