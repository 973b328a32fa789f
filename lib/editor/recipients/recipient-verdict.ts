import type { ParsedRecipients } from "../../shared/recipients/recipients";
import type { RecipientFault } from "../../shared/recipients/rejected-recipient";

/** Counts of a list of recipients. */
export interface RecipientVerdict {
  readonly valid: number;
  readonly invalid: number;
  readonly duplicates: number;
  /** Numbers that depend on the running account: its default country is a variable, or no account is chosen yet. */
  readonly open: number;
  /** Entries with braces, whose numbers each message has. */
  readonly personal: number;
  /** The first invalid numbers. */
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
  return {
    valid: accepted.length,
    invalid: invalid.length,
    duplicates,
    open: rejected.length - invalid.length,
    personal,
    examples: invalid.slice(0, most).map(({ value, reason }) => ({ value, reason })),
  };
}

/** The default country of an account; undefined if only the runtime knows it. */
export function countryOf(account: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  const country = account ? String(account.defaultCountry) : undefined;
  return country?.includes("${") ? undefined : country;
}
