import type { RecipientText } from "../shared/recipients/recipient-text";
import { say } from "./say";

/** A text about recipients in Node-RED's language: one or more sentences. */
export function recipientSentence({ key, values, next }: RecipientText): string {
  const sentence = say(`recipients.${key}`, values);
  return next === undefined ? sentence : `${sentence} ${recipientSentence(next)}`;
}
