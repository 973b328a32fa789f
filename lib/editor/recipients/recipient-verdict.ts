import type { ParsedRecipients } from "../../shared/recipients/recipients";
import type { RecipientFault } from "../../shared/recipients/rejected-recipient";

/** What is shown of a list of recipients. */
export interface RecipientVerdict {
  readonly valid: number;
  readonly invalid: number;
  readonly duplicates: number;
  /** Numbers that only the running account can read, for its default country is a variable or it is not chosen yet. */
  readonly open: number;
  /** The first invalid ones. */
  readonly examples: readonly { readonly value: string; readonly reason: RecipientFault }[];
}

/** Sums up what the parser found, with at most `most` examples. */
export function sumUp(
  { accepted, rejected, duplicates }: ParsedRecipients,
  countryKnown: boolean,
  most: number,
): RecipientVerdict {
  const invalid = countryKnown ? rejected : rejected.filter(({ reason }) => reason !== "unknown-country");
  return {
    valid: accepted.length,
    invalid: invalid.length,
    duplicates,
    open: rejected.length - invalid.length,
    examples: invalid.slice(0, most).map(({ value, reason }) => ({ value, reason })),
  };
}

/** The country that a text of an account stands for: undefined where only its runtime can tell. */
export function countryOf(account: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const country = account ? String(account.defaultCountry ?? "") : undefined;
  return country?.includes("${") ? undefined : country;
}
