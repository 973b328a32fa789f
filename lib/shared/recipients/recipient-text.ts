/** The texts about recipients, as their keys in the catalogue `recipients` of the runtime. */
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
  | `unusual.${"short" | "long"}.${"one" | "many"}`;

/**
 * A text about recipients that is put into words where it is shown. The edit dialogs load this code without the catalogues
 * and have words of their own. A text without values is one object, however many entries of a list have it.
 */
export interface RecipientText {
  readonly key: RecipientTextKey;
  /** Values for the placeholders of the text. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** A text that follows this one. */
  readonly next?: RecipientText;
}
