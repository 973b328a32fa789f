import type { FieldCheck } from "./field-rules";
import type { UploadedFile } from "../request/uploaded-file";
import { isMsisdn, MSISDN } from "../util/formats";

const MOST_RECIPIENTS = 1000;

const SENDER_FORMS: Readonly<Record<string, RegExp>> = {
  national: /^\d{3,15}$/,
  international: MSISDN,
  alphanumeric: /^[\x20-\x7e]{1,11}$/,
  shortcode: /^\d{3,8}$/,
};

/** One of a few words, in exactly this spelling. */
export function oneOf(...words: readonly string[]): FieldCheck<string> {
  return (value) => (words.includes(value) ? null : { reason: `must be one of ${words.join(", ")}` });
}

/** A whole number between two limits, both allowed. */
export function between(least: number, most: number): FieldCheck<number> {
  return (value) =>
    value >= least && value <= most ? null : { reason: `must be between ${least} and ${most}` };
}

/** 1 to the highest priority of the account. */
export const priority: FieldCheck<number> = (value, fields, facts) =>
  between(1, facts.maxPriority)(value, fields, facts);

/** Number of characters; one outside the basic plane, such as an emoji, counts once. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** One international number. */
export const recipient: FieldCheck<string> = (number) =>
  isMsisdn(number) ? null : { reason: "is not an international number" };

/** At most 1,000 numbers of 5 to 15 digits, with or without the plus, none of them starting with 0. */
export const recipientList: FieldCheck<readonly string[]> = (recipients) => {
  if (recipients.length > MOST_RECIPIENTS) {
    return { reason: `${recipients.length} recipients, ${MOST_RECIPIENTS} allowed`, verdict: 4025 };
  }
  const wrong = recipients.findIndex((number) => !isMsisdn(number));
  return wrong === -1 ? null : { reason: `entry ${wrong + 1} is not an international number` };
};

/**
 * Text that a phone can show. Control characters other than line breaks, tab and form feed are refused: those
 * from U+0080 to U+009F are what UTF-8 or Windows-1252 looks like when it is read as ISO-8859-1.
 */
export const messageText: FieldCheck<string> = (text) => {
  const odd = /[^\P{Cc}\n\r\t\f]|\p{Cs}/u.exec(text);
  if (!odd) return null;
  const codePoint = (odd[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { reason: `U+${codePoint} at offset ${odd.index} can't be sent` };
};

/** As `messageText`, with at most so many characters. */
export function messageTextUpTo(most: number): FieldCheck<string> {
  return (text, fields, facts) => {
    const count = countCharacters(text);
    if (count > most) return { reason: `${count} characters, ${most} allowed` };
    return messageText(text, fields, facts);
  };
}

/** A file that is not empty and no larger than the service takes. */
export const uploadedFile: FieldCheck<UploadedFile> = ({ size }, _fields, { maxUpload }) => {
  if (size > maxUpload) {
    return { reason: `${size} bytes, ${maxUpload} allowed`, verdict: null, httpStatus: 413 };
  }
  return size === 0 ? { reason: "is empty" } : null;
};

/** Any text in one line. */
export const messageId: FieldCheck<string> = (id) =>
  /\p{Cc}|\p{Cs}/u.test(id) ? { reason: "must not contain control characters" } : null;

/** An absolute http or https address without blanks. */
export const callbackUrl: FieldCheck<string> = (text) =>
  /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? null : { reason: "must be an http or https URL" };

/** A sender that could exist, judged by `senderAddressType` where that is given. */
export const senderAddress: FieldCheck<string> = (sender, fields) => {
  const type = fields.senderAddressType;
  const forms = typeof type === "string" ? [SENDER_FORMS[type]] : Object.values(SENDER_FORMS);
  return forms.some((form) => form?.test(sender))
    ? null
    : { reason: `is no ${typeof type === "string" ? `${type} ` : ""}sender address` };
};
