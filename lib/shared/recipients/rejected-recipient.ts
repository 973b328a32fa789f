import { MAX_ENTRIES } from "./entry-reader";
import type { SpellingFault } from "./phone-number";
import type { RecipientText } from "./recipient-text";
import { sanitiseText } from "../sanitise-text";

export type RecipientFault =
  | SpellingFault
  /** Invalid with and without the zero after the country code. */
  | "trunk-zero"
  /** Invalid in the default country and as an international number. */
  | "invalid-for-country"
  /** The default country is wrong. */
  | "unknown-country"
  /** Too large for exact digits. */
  | "digits-lost"
  | "wrong-type"
  /** Undefined, null or a hole. */
  | "missing"
  /** More than `MOST_ENTRIES`, so none is accepted. */
  | "too-many";

export interface RejectedRecipient {
  readonly value: string;
  /** From 1 in the list, or null for texts and numbers. */
  readonly position: number | null;
  /** From 1 in the list or in a text with separators. */
  readonly row: number;
  readonly reason: RecipientFault;
  readonly explanation: RecipientText;
}

const MAX_SHOWN = 64;
const MAX_SCANNED = 4096;

export const LEADING_ZERO_OPEN: RecipientText = { key: "leading-zero.national" };
export const NOT_WHOLE: RecipientText = { key: "not-a-number.not-whole" };
export const DIGITS_LOST: RecipientText = { key: "digits-lost" };
const MISSING: RecipientText = { key: "missing" };
const WRONG_TYPE: RecipientText = { key: "wrong-type" };
export const TOO_MANY: RejectedRecipient = Object.freeze<RejectedRecipient>({
  value: "",
  position: null,
  row: 1,
  reason: "too-many",
  explanation: { key: "too-many", values: { most: MAX_ENTRIES } },
});

/** Calls no method of the entry, which may be hostile. */
export function rejectOther(entry: unknown, position: number | null, row: number): RejectedRecipient {
  if (entry === undefined || entry === null) {
    return { value: String(entry), position, row, reason: "missing", explanation: MISSING };
  }
  const kind = Array.isArray(entry) ? "list" : typeof entry;
  return { value: kind, position, row, reason: "wrong-type", explanation: WRONG_TYPE };
}

export const shorten = (text: string): string => sanitiseText(text.slice(0, MAX_SCANNED).trim(), MAX_SHOWN);
