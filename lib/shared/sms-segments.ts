/**
 * Number of SMS of a text. It is encoded in the GSM 7-bit default alphabet (3GPP TS 23.038) if that has all of its
 * characters, else completely in UCS-2.
 */

export type SmsEncoding = "gsm" | "ucs2";

export interface SmsSize {
  readonly encoding: SmsEncoding;
  /** Characters as a person counts them: an emoji of one code point is one. */
  readonly characters: number;
  /** Number of SMS of the text; 0 for an empty text. */
  readonly segments: number;
  /** Free room in the last SMS, in GSM characters of the basic alphabet or in UTF-16 units. */
  readonly left: number;
}

/** Room of a single SMS, and of one of several, in septets and in UTF-16 units. */
const ROOM: Readonly<Record<SmsEncoding, { readonly alone: number; readonly joined: number }>> = {
  gsm: { alone: 160, joined: 153 },
  ucs2: { alone: 70, joined: 67 },
};

const BASIC: ReadonlySet<string> = new Set(
  [
    // In the order of the code table, from 00 to 7F; 1B is the escape to the extension.
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

/** A text of the basic alphabet only: each character takes one septet. */
const PLAIN = new RegExp(`^[${[...BASIC].join("").replace(/[\\\]^-]/g, "\\$&")}]*$`);

/** Whether a character requires UCS-2 for the whole text. */
export const isOutsideGsm = (character: string): boolean =>
  !BASIC.has(character) && !EXTENSION.has(character);

/** Whether a character counts as two in a GSM text. */
export const countsTwice = (character: string): boolean => EXTENSION.has(character);

/** Measures a text of any length, in one pass. */
export function measureSms(text: string): SmsSize {
  const characters = Array.from(text);
  const encoding: SmsEncoding = characters.some(isOutsideGsm) ? "ucs2" : "gsm";
  const widthOf =
    encoding === "gsm" ? (one: string) => (countsTwice(one) ? 2 : 1) : (one: string) => one.length;
  const { alone, joined } = ROOM[encoding];
  let total = 0;
  let segments = characters.length === 0 ? 0 : 1;
  let used = 0;
  for (const character of characters) {
    const width = widthOf(character);
    total += width;
    // A character of two septets is not split: the last septet of a segment can stay free.
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

/** Number of SMS of a text, at least one. Quick for texts that fit into one. */
export function segmentsOf(text: string): number {
  const { length } = text;
  return length <= ROOM.ucs2.alone || (length <= ROOM.gsm.alone && PLAIN.test(text))
    ? 1
    : measureSms(text).segments;
}

/** The fields of an SMS that decide what it costs. */
interface BilledFields {
  readonly messageContent?: unknown;
  readonly maxSmsPerMessage?: unknown;
}

/** Billed SMS of one recipient, at least one. More than the message allows is never sent; 0 allows any number. */
export function billedSms({ messageContent, maxSmsPerMessage }: BilledFields): number {
  if (typeof messageContent !== "string") {
    return 1;
  }
  const segments = segmentsOf(messageContent);
  return typeof maxSmsPerMessage === "number" && maxSmsPerMessage > 0
    ? Math.min(segments, maxSmsPerMessage)
    : segments;
}
