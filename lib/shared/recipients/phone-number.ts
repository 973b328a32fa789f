/** Small and without numbering plans, so that dialogs can load it. */
import { toLatinDigits } from "../decimal-digits";
import { formatCodePoint } from "../latin1";
import { LIMITS } from "../fields/limits";
import { sanitiseText } from "../sanitise-text";
import type { RecipientText } from "./recipient-text";

const MIN = LIMITS.msisdnDigitsMin;
const MAX = LIMITS.msisdnDigitsMax;

/** International, without plus. */
export const INTERNATIONAL_DIGITS = new RegExp(`^[1-9][0-9]{${MIN - 1},${MAX - 1}}$`);

/** With plus. */
export const E164 = new RegExp(`^\\+${INTERNATIONAL_DIGITS.source.slice(1)}`);

/** Digits of the shortest number without a warning. */
export const MIN_USUAL = 8;
export const MAX_USUAL = 14;

export type SpellingFault = "not-a-number" | "too-short" | "too-long" | "leading-zero" | "ambiguous";

export type Spelling =
  | { readonly form: "blank" }
  /** The digits follow `+` or `00`. `tail` are those behind the last slash, dash, dot or bracket. */
  | { readonly form: "international"; readonly digits: string; readonly tail: string }
  /** National or international. */
  | { readonly form: "open"; readonly digits: string; readonly tail: string }
  | { readonly form: "fault"; readonly reason: SpellingFault; readonly explanation: RecipientText };

/** Blanks, and invisible marks from address books or web pages. */
const BLANKS = /[\s\u00ad\u200b-\u200f\u202a-\u202d\u2060\u2066-\u2069\ufeff]+/gu;
const GROUPING = /[\p{Pd}\u2212./()[\]]+/gu;

const HAS_TRUNK_ZERO = /[([]0[)\]]/;
const TRUNK_ZERO = /[([]0[)\]]/g;
const DECIMAL_ZERO = /^\+?[0-9]{7,}\.0$/;
/** Id of a messenger, such as `telegram:41790000099`, but not a link. */
const MESSENGER_USER = /^(?!tel:|sms:)([^:]*\p{L}[^:]*):(?!\+|\/\/)./iu;
const TAIL = /^(.*[0-9])([\p{Pd}\u2212./([])([0-9]+)[)\]]?$/u;
const EXPONENT = /^\+?[0-9](?:[.,]?[0-9]+)?[eE]\+?[0-9]+$/;

const MAX_TEXT = 4096;

export const TOO_LONG: RecipientText = { key: "too-long", values: { min: MIN, max: MAX } };
const LEADING_ZERO: RecipientText = { key: "leading-zero.international" };
const EXPONENT_FORM: RecipientText = { key: "not-a-number.exponent" };
const NO_DIGIT: RecipientText = { key: "not-a-number.no-digit" };
const PLUS_INSIDE: RecipientText = { key: "not-a-number.plus-inside" };

/** Never throws. */
export function readSpelling(text: string): Spelling {
  if (text.length > MAX_TEXT) {
    return fault("too-long", TOO_LONG);
  }
  const compact = toLatinDigits(text.replace(BLANKS, ""));
  if (compact === "") {
    return { form: "blank" };
  }
  const bare = compact.replace(GROUPING, "");
  const plus = bare.startsWith("+");
  const international = plus || bare.startsWith("00");
  const digits = plus ? bare.slice(1) : international ? bare.slice(2) : bare;
  if (!/^[0-9]+$/.test(digits)) {
    return fault("not-a-number", explainNoNumber(compact, bare, digits));
  }
  if (international && HAS_TRUNK_ZERO.test(compact)) {
    const without = compact
      .replace(TRUNK_ZERO, "")
      .replace(GROUPING, "")
      .replace(/^(?:\+|00)/, "");
    return fault("ambiguous", {
      key: "ambiguous.zero-in-brackets",
      values: { without: clip(without), with: clip(digits) },
    });
  }
  if (DECIMAL_ZERO.test(compact)) {
    const whole = digits.slice(0, -1);
    return fault("ambiguous", {
      key: "ambiguous.decimal-zero",
      values: { without: clip(whole), with: clip(digits) },
    });
  }
  const tail = readTail(compact);
  return international ? { form: "international", digits, tail } : { form: "open", digits, tail };
}

/** @returns blank for the last of several groups that are written alike, as in `123-45-67` */
function readTail(compact: string): string {
  const [, before = "", sign = "", tail = ""] = TAIL.exec(compact) ?? [];
  return sign !== "/" && new RegExp(`\\${sign}[0-9]{1,3}$`).test(before) ? "" : tail;
}

export function findDigitsFault(
  digits: string,
): { reason: SpellingFault; explanation: RecipientText } | null {
  if (INTERNATIONAL_DIGITS.test(digits)) {
    return null;
  }
  if (digits.startsWith("0")) {
    return { reason: "leading-zero", explanation: LEADING_ZERO };
  }
  if (digits.length > MAX) {
    return { reason: "too-long", explanation: TOO_LONG };
  }
  return {
    reason: "too-short",
    explanation: { key: "too-short", values: { min: MIN, max: MAX, count: digits.length } },
  };
}

function explainNoNumber(compact: string, bare: string, digits: string): RecipientText {
  if (EXPONENT.test(compact)) {
    return EXPONENT_FORM;
  }
  if (digits === "") {
    return NO_DIGIT;
  }
  if (/^\+?[0-9]+\+[0-9+]*$/.test(bare)) {
    return PLUS_INSIDE;
  }
  const messenger = MESSENGER_USER.exec(compact)?.[1];
  if (messenger !== undefined) {
    return { key: "not-a-number.messenger-user", values: { messenger: clip(messenger) } };
  }
  const character = /[^0-9]/u.exec(digits)?.[0] ?? "";
  const codePoint = `U+${formatCodePoint(character.codePointAt(0) ?? 0)}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
    ? { key: "not-a-number.character", values: { character, codePoint } }
    : { key: "not-a-number.invisible-character", values: { codePoint } };
}

function fault(reason: SpellingFault, explanation: RecipientText): Extract<Spelling, { form: "fault" }> {
  return { form: "fault", reason, explanation };
}

const clip = (digits: string): string => sanitiseText(digits, 24);

/** ISO 3166 and XK, with a numbering plan. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  (
    "AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM " +
    "FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE " +
    "JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN " +
    "MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT " +
    "PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TG TH TJ TK " +
    "TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW"
  ).split(" "),
);

/** Usual codes that differ from ISO 3166. */
const FAMILIAR: ReadonlyMap<string, string> = new Map([
  ["UK", "GB"],
  ["EL", "GR"],
]);

export type DefaultCountry =
  | { readonly ok: true; readonly country: string | null }
  | { readonly ok: false; readonly explanation: RecipientText };

export function checkDefaultCountry(value: unknown): DefaultCountry {
  if (value === undefined || value === null) {
    return { ok: true, country: null };
  }
  if (typeof value !== "string") {
    return { ok: false, explanation: { key: "default-country.not-text" } };
  }
  const code = value.trim().toUpperCase();
  if (code === "") {
    return { ok: true, country: null };
  }
  if (COUNTRIES.has(code)) {
    return { ok: true, country: code };
  }
  const meant = FAMILIAR.get(code);
  return {
    ok: false,
    explanation: meant
      ? { key: "default-country.other-code", values: { code, meant } }
      : { key: "default-country.unknown" },
  };
}
