import { lengthOfList, MOST_ENTRIES, UNREADABLE } from "./entry-reader";
import type { SpellingFault } from "./phone-number";
import type { RecipientText } from "./recipient-text";
import { sanitiseText } from "../sanitise-text";

export type RecipientFault =
  | SpellingFault
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
  /** The list is beyond all measure and was not taken at all. */
  | "too-many";

export interface RejectedRecipient {
  /** The entry as it came, shortened where it is long; for what is neither text nor number, its kind. */
  readonly value: string;
  /** Which entry of a list it is, from 1; only for what is neither text nor number, which cannot be told by its value. */
  readonly position: number | null;
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
  reason: "too-many",
  explanation: { key: "too-many", values: { most: MOST_ENTRIES } },
});

/** Describes an entry that is neither text nor number without calling anything on it: it may be hostile. */
export function rejectOther(entry: unknown, position: number | null): RejectedRecipient {
  if (entry === undefined || entry === null) {
    return { value: String(entry), position, reason: "missing", explanation: MISSING };
  }
  const kind = lengthOfList(entry) !== null ? "list" : entry === UNREADABLE ? "unreadable" : typeof entry;
  return { value: kind, position, reason: "wrong-type", explanation: WRONG_TYPE };
}

/** A text as it may stand in an error and a result: short, on one line. */
export const shorten = (text: string): string =>
  sanitiseText(text.slice(0, LONGEST_LOOKED_AT).trim(), LONGEST_SHOWN);
