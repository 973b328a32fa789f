import type { RecipientText } from "../shared/recipients/recipient-text";
import { say } from "./say";

export function recipientSentence({ key, values, next }: RecipientText): string {
  const sentence = say(`recipients.${key}`, values);
  return next === undefined ? sentence : `${sentence} ${recipientSentence(next)}`;
}
