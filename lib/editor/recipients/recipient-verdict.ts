import type { ParsedRecipients } from "../../shared/recipients/recipients";
import {
  LEADING_ZERO_OPEN,
  type RecipientFault,
  type RejectedRecipient,
} from "../../shared/recipients/rejected-recipient";

export interface RecipientVerdict {
  readonly valid: number;
  readonly invalid: number;
  readonly duplicates: number;
  /** Numbers that depend on a default country that is a variable or not chosen yet. */
  readonly open: number;
  /** Entries with braces. */
  readonly personal: number;
  /** The first invalid number that only lacks a default country. */
  readonly national: string | null;
  readonly wrong: number;
  readonly examples: readonly { readonly value: string; readonly reason: RecipientFault }[];
}

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

/** Undefined if only the runtime knows it. */
export function countryOf(account: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const country = account ? String(account.defaultCountry ?? "") : undefined;
  return country?.includes("${") ? undefined : country;
}
