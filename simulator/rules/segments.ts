export interface SegmentCount {
  readonly alphabet: "gsm" | "ucs2";
  readonly segments: number;
}

const GSM_BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const GSM_EXTENSION = new Set("^{}\\[~]|€\f");

const SIZES = {
  gsm: { single: 160, concatenated: 153 },
  ucs2: { single: 70, concatenated: 67 },
} as const;

function septets(character: string): number | null {
  if (GSM_BASIC.has(character)) return 1;
  return GSM_EXTENSION.has(character) ? 2 : null;
}

/** An escape sequence or a surrogate pair that does not fit at the end of a segment moves to the next one. */
export function countSegments(text: string): SegmentCount {
  const characters = [...text];
  const widths = characters.map(septets);
  if (widths.every((width) => width !== null)) return { alphabet: "gsm", segments: pack(widths, SIZES.gsm) };
  return {
    alphabet: "ucs2",
    segments: pack(
      characters.map((character) => character.length),
      SIZES.ucs2,
    ),
  };
}

function pack(widths: readonly number[], size: { single: number; concatenated: number }): number {
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (total <= size.single) return 1;
  let segments = 1;
  let used = 0;
  for (const width of widths) {
    if (used + width > size.concatenated) {
      segments += 1;
      used = 0;
    }
    used += width;
  }
  return segments;
}
