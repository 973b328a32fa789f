import { lengthOfList, MOST_ENTRIES, UNREADABLE } from "./entry-reader";
import type { SpellingFault } from "./phone-number";
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
  readonly reason: RecipientFault;
  /** In plain words, with what to do about it. */
  readonly explanation: string;
}

const LONGEST_SHOWN = 64;
const LONGEST_LOOKED_AT = 4096;

export const LEADING_ZERO_OPEN =
  "A number that starts with 0 is national, and no default country is set. Write it with + and its country code, or set a default country on the account.";
export const NOT_WHOLE = "A number that stands for a phone is whole and not negative.";
export const DIGITS_LOST =
  "JavaScript numbers of this size no longer hold all their digits. Pass the phone number as text.";
export const TOO_MANY: RejectedRecipient = Object.freeze({
  value: "",
  reason: "too-many",
  explanation: `The list has more than ${MOST_ENTRIES} entries and none was taken. Split it into several messages.`,
});

/** Describes an entry that is neither text nor number without calling anything on it: it may be hostile. */
export function rejectOther(entry: unknown, position: number | undefined): RejectedRecipient {
  const place = position === undefined ? "" : ` (entry ${position})`;
  if (entry === undefined || entry === null) {
    return {
      value: `${entry}${place}`,
      reason: "missing",
      explanation: "This entry of the list holds nothing. Leave it out or give it a phone number.",
    };
  }
  const kind = lengthOfList(entry) !== null ? "list" : entry === UNREADABLE ? "unreadable" : typeof entry;
  return {
    value: `${kind}${place}`,
    reason: "wrong-type",
    explanation:
      "A recipient is a text or a number, and recipients are a list of these or a text with separators.",
  };
}

/** A text as it may stand in an error and a result: short, on one line. */
export const shorten = (text: string): string =>
  sanitiseText(text.slice(0, LONGEST_LOOKED_AT).trim(), LONGEST_SHOWN);
