import type { ParsedRecipients } from "../../shared/recipients/recipients";
import {
  LEADING_ZERO_OPEN,
  type RecipientFault,
  type RejectedRecipient,
} from "../../shared/recipients/rejected-recipient";

/** Counts of a list of recipients. */
export interface RecipientVerdict {
  readonly valid: number;
  readonly invalid: number;
  readonly duplicates: number;
  /** Numbers that depend on the running account: its default country is a variable, or no account is chosen yet. */
  readonly open: number;
  /** Entries with braces, whose numbers each message has. */
  readonly personal: number;
  /** The first number that a default country would make readable, which counts as invalid; null for none. */
  readonly national: string | null;
  /** The first other invalid numbers, and how many there are. */
  readonly wrong: number;
  readonly examples: readonly { readonly value: string; readonly reason: RecipientFault }[];
}

/** Sums up the result of the parser, with at most `most` examples. `personal` entries were left out. */
export function sumUp(
  { accepted, rejected, duplicates }: ParsedRecipients,
  countryKnown: boolean,
  most: number,
  personal = 0,
): RecipientVerdict {
  const invalid = countryKnown ? rejected : rejected.filter(({ reason }) => reason !== "unknown-country");
  const isNational = ({ explanation }: RejectedRecipient): boolean =>
    explanation.key === LEADING_ZERO_OPEN.key;
  const wrong = invalid.filter((entry) => !isNational(entry));
  return {
    valid: accepted.length,
    invalid: invalid.length,
    duplicates,
    open: rejected.length - invalid.length,
    personal,
    national: invalid.find(isNational)?.value ?? null,
    wrong: wrong.length,
    examples: wrong.slice(0, most).map(({ value, reason }) => ({ value, reason })),
  };
}

/** The default country of an account; undefined if only the runtime knows it. */
export function countryOf(account: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const country = account ? String(account.defaultCountry ?? "") : undefined;
  return country?.includes("${") ? undefined : country;
}
