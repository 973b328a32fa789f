export type RecipientTextKey =
  | "not-a-number.exponent"
  | "not-a-number.no-digit"
  | "not-a-number.plus-inside"
  | "not-a-number.messenger-user"
  | "not-a-number.character"
  | "not-a-number.invisible-character"
  | "not-a-number.not-whole"
  | "too-short"
  | "too-long"
  | "leading-zero.international"
  | "leading-zero.national"
  | "ambiguous.zero-in-brackets"
  | "ambiguous.decimal-zero"
  | "ambiguous.two-readings"
  | "ambiguous.two-numbers"
  | "trunk-zero"
  | "invalid-for-country"
  | "unknown-country"
  | "digits-lost"
  | "wrong-type"
  | "missing"
  | "too-many"
  | "default-country.not-text"
  | "default-country.other-code"
  | "default-country.unknown"
  | `rounded.${"one" | "many"}`
  | `unusual.${"short" | "long"}.${"one" | "many"}`;

/** Dialogs use other words, so the text stays a key. Without values it is shared. */
export interface RecipientText {
  readonly key: RecipientTextKey;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly next?: RecipientText;
}
