import { FieldError } from "../../../lib/shared/messaging-error";
import { parseRecipientsInSlices } from "../../../lib/shared/recipients/parse-in-slices";
import type { RejectedRecipient } from "../../../lib/shared/recipients/rejected-recipient";
import { quoteValue } from "../../../lib/texts/quote-value";
import { recipientSentence } from "../../../lib/texts/recipient-sentence";
import { say } from "../../../lib/texts/say";

/** An entry that is no phone number. Part of the message contract. */
export interface WrongNumber {
  /** As it was given, shortened if it is long; of what is neither text nor number its type. */
  readonly value: string;
  /** Row or place in the list, from 1, of what is neither text nor number; null for texts and numbers, which `value` tells. */
  readonly position: number | null;
  /** What is wrong, as a word: `too-short`, `missing` and so on. */
  readonly reason: string;
  /** What is wrong and what to do about it, in Node-RED's language. */
  readonly message: string;
}

/** The numbers of a message: those that are valid as digits, each once, and the others. */
export interface ReadNumbers {
  readonly numbers: readonly string[];
  readonly wrong: readonly WrongNumber[];
  /** How many entries repeated a number. */
  readonly duplicates: number;
}

const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const toWrong = ({ value, position, reason, explanation }: RejectedRecipient): WrongNumber => ({
  value,
  position,
  reason,
  message: recipientSentence(explanation),
});

/** The first wrong number with what is wrong, and how many there are. */
export function describeWrong(wrong: readonly WrongNumber[]): string {
  const [{ value, position, message }] = wrong as [WrongNumber];
  const quoted = quoteValue(value, value.length);
  const entry = position === null ? quoted : say("recipients.entry", { value: quoted, position });
  return say(`optOuts.wrong.${wrong.length === 1 ? "one" : "many"}`, { entry, message, count: wrong.length });
}

/**
 * Reads numbers as a send node reads its recipients; long lists in slices, with the event loop in between.
 * @param field name of the field, for the error
 * @throws FieldError FIELD_INVALID where nothing is given at all; a list may be empty
 */
export async function readNumbers(
  value: unknown,
  defaultCountry: string,
  field: string,
): Promise<ReadNumbers> {
  const { accepted, rejected, duplicates, empty } = await parseRecipientsInSlices(
    value,
    { defaultCountry },
    yieldNow,
  );
  if (empty && !Array.isArray(value)) {
    throw new FieldError("FIELD_INVALID", field, say("optOuts.blank"));
  }
  return { numbers: accepted, wrong: rejected.map(toWrong), duplicates };
}
