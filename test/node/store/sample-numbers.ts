const of = (count: number, numberOf: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => numberOf(n));

/** Numbers of lists, each one different. */
export const SAMPLE_NUMBERS = {
  /** Swiss mobile numbers, digits. */
  mobiles: (count: number) => of(count, (n) => String(41790100000 + n)),
  /** German mobile numbers, digits. */
  abroad: (count: number) => of(count, (n) => String(4915112300000 + n)),
  /** Texts that are no number. */
  wrong: (count: number) => of(count, (n) => `nobody ${n}`),
} as const;
