import { FieldError } from "../../../lib/shared/messaging-error";
import { parseRecipientsInSlices } from "../../../lib/shared/recipients/parse-in-slices";
import type { RecipientText } from "../../../lib/shared/recipients/recipient-text";
import type { RejectedRecipient } from "../../../lib/shared/recipients/rejected-recipient";
import { quoteValue } from "../../../lib/texts/quote-value";
import { recipientSentence } from "../../../lib/texts/recipient-sentence";
import { say } from "../../../lib/texts/say";

/** Part of the message contract. */
export interface WrongNumber {
  /** The entry, shortened if it is long; its type if it is neither text nor number. */
  readonly value: string;
  /** Index in the list, from 1; null for texts and numbers. */
  readonly position: number | null;
  /** Such as `too-short` or `missing`. */
  readonly reason: string;
  readonly message: string;
}

export interface ReadNumbers {
  readonly numbers: readonly string[];
  readonly wrong: readonly WrongNumber[];
  readonly duplicates: number;
  /** About numbers that may have lost digits. */
  readonly rounded: RecipientText | null;
}

const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const toWrong = ({ value, position, reason, explanation }: RejectedRecipient): WrongNumber => ({
  value,
  position,
  reason,
  message: recipientSentence(explanation),
});

/** Describes the first wrong number, and counts the others. */
export function describeWrong(wrong: readonly WrongNumber[]): string {
  const [{ value, position, message }] = wrong as [WrongNumber];
  const quoted = quoteValue(value, value.length);
  const entry = position === null ? quoted : say("recipients.entry", { value: quoted, position });
  return say(`optOuts.wrong.${wrong.length === 1 ? "one" : "many"}`, { entry, message, count: wrong.length });
}

/**
 * Reads numbers in slices, as a send node reads its recipients.
 * @param field for the error
 * @throws FieldError FIELD_INVALID without a value; a list may be empty
 */
export async function readNumbers(
  value: unknown,
  defaultCountry: string,
  field: string,
): Promise<ReadNumbers> {
  const { accepted, rejected, duplicates, warnings, empty } = await parseRecipientsInSlices(
    value,
    { defaultCountry },
    yieldNow,
  );
  if (empty && !Array.isArray(value)) {
    throw new FieldError("FIELD_INVALID", field, say("optOuts.blank"));
  }
  const rounded = warnings.find(({ key }) => key.startsWith("rounded")) ?? null;
  return { numbers: accepted, wrong: rejected.map(toWrong), duplicates, rounded };
}
