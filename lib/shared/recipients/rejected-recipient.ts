import { lengthOfList, MOST_ENTRIES, UNREADABLE } from "./entry-reader";
import type { SpellingFault } from "./phone-number";
import type { RecipientText } from "./recipient-text";
import { sanitiseText } from "../sanitise-text";

export type RecipientFault =
  | SpellingFault
  /** A zero behind the country code, and neither with it nor without it a valid number. */
  | "trunk-zero"
  /** The digits form no number of the default country and no international one. */
  | "invalid-for-country"
  /** The default country itself is wrong, so nothing can be said about a number without `+`. */
  | "unknown-country"
  /** A JavaScript number too large to keep its last digits. */
  | "digits-lost"
  /** Neither text nor number: an object, a list in the list, true, … */
  | "wrong-type"
  /** An entry of the list is undefined, null or a hole. */
  | "missing"
  /** The list has more than `MOST_ENTRIES` entries. No entry was accepted. */
  | "too-many";

export interface RejectedRecipient {
  /** The entry, shortened if it is long; its type if it is neither text nor number. */
  readonly value: string;
  /** Position in the list, from 1; null for texts and numbers, which are identified by `value`. */
  readonly position: number | null;
  /** Its place in the list, from 1; of a text with separators its place in the text. */
  readonly row: number;
  readonly reason: RecipientFault;
  /** What is wrong and what to do about it. */
  readonly explanation: RecipientText;
}

const LONGEST_SHOWN = 64;
const LONGEST_LOOKED_AT = 4096;

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
  explanation: { key: "too-many", values: { most: MOST_ENTRIES } },
});

/** Rejects an entry that is neither text nor number. Calls no method of the entry, because it may be hostile. */
export function rejectOther(entry: unknown, position: number | null, row: number): RejectedRecipient {
  if (entry === undefined || entry === null) {
    return { value: String(entry), position, row, reason: "missing", explanation: MISSING };
  }
  const kind = lengthOfList(entry) !== null ? "list" : entry === UNREADABLE ? "unreadable" : typeof entry;
  return { value: kind, position, row, reason: "wrong-type", explanation: WRONG_TYPE };
}

/** Makes a text short and one line for errors and results. */
export const shorten = (text: string): string =>
  sanitiseText(text.slice(0, LONGEST_LOOKED_AT).trim(), LONGEST_SHOWN);
