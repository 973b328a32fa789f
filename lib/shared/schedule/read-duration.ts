const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Without months and years, whose lengths differ. */
const WORDS: readonly (readonly [ms: number, words: readonly string[]])[] = [
  [SECOND, ["s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden"]],
  [MINUTE, ["m", "min", "mins", "minute", "minutes", "minuten"]],
  [HOUR, ["h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden"]],
  [DAY, ["d", "day", "days", "tag", "tage", "tagen"]],
  [WEEK, ["w", "week", "weeks", "woche", "wochen"]],
];
const UNITS: ReadonlyMap<string, number> = new Map(
  WORDS.flatMap(([ms, words]) => words.map((word) => [word, ms] as const)),
);

/** Single letters must be lower case, because M means months. */
const getUnit = (word: string): number | undefined =>
  UNITS.get(word.length === 1 ? word : word.toLowerCase());

const MAX_DURATION = 10 * 366 * DAY;

const PIECE = /\s*(\d{1,9}(?:[.,]\d{1,3})?)\s*([a-z]{1,8})(?![a-z])/iy;

const NUMBER = String.raw`(\d{1,9}(?:[.,]\d{1,3})?)`;
const ISO = new RegExp(
  `^P(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?=\\d)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
);
const ISO_UNITS = [WEEK, DAY, HOUR, MINUTE, SECOND];

const toNumber = (digits: string): number => Number(digits.replace(",", "."));

function readIso(text: string): number | null {
  const [, ...numbers] = ISO.exec(text) ?? [];
  return numbers.every((digits) => digits === undefined)
    ? null
    : numbers.reduce(
        (sum, digits, at) => sum + (digits === undefined ? 0 : toNumber(digits) * (ISO_UNITS[at] as number)),
        0,
      );
}

function readPieces(text: string): number | null {
  let sum: number | null = null;
  PIECE.lastIndex = 0;
  for (let end = 0; end < text.length; end = PIECE.lastIndex) {
    const [, digits = "", word = ""] = PIECE.exec(text) ?? [];
    const unit = getUnit(word);
    if (unit === undefined) {
      return null;
    }
    sum = (sum ?? 0) + toNumber(digits) * unit;
  }
  return sum;
}

/**
 * Reads `90s`, `1h 30min`, `3 days` or ISO 8601 such as `PT2H`.
 * @returns ms up to ten years, or null
 */
export function readDuration(text: string): number | null {
  const trimmed = text.trim();
  const read = trimmed.startsWith("P") ? readIso(trimmed) : readPieces(trimmed);
  return read === null || read > MAX_DURATION ? null : Math.round(read);
}
