import type { FieldCheck } from "./field-rules";
import type { UploadedFile } from "../request/uploaded-file";
import { isMsisdn, MSISDN } from "../util/formats";

const MAX_RECIPIENTS = 1000;

const SENDER_FORMS: Readonly<Record<string, RegExp>> = {
  national: /^\d{3,15}$/,
  international: MSISDN,
  alphanumeric: /^[\x20-\x7e]{1,11}$/,
  shortcode: /^\d{3,8}$/,
};

export function oneOf(...words: readonly string[]): FieldCheck<string> {
  return (value) => (words.includes(value) ? null : { reason: `must be one of ${words.join(", ")}` });
}

export function between(min: number, max: number): FieldCheck<number> {
  return (value) => (value >= min && value <= max ? null : { reason: `must be between ${min} and ${max}` });
}

export const priority: FieldCheck<number> = (value, fields, context) =>
  between(1, context.maxPriority)(value, fields, context);

/** Number of characters; one outside the basic plane, such as an emoji, counts once. */
export function countCharacters(text: string): number {
  return [...text].length;
}

export const recipient: FieldCheck<string> = (number) =>
  isMsisdn(number) ? null : { reason: "is not an international number" };

export const recipientList: FieldCheck<readonly string[]> = (recipients) => {
  if (recipients.length > MAX_RECIPIENTS) {
    return { reason: `${recipients.length} recipients, ${MAX_RECIPIENTS} allowed`, code: 4025 };
  }
  const wrong = recipients.findIndex((number) => !isMsisdn(number));
  return wrong === -1 ? null : { reason: `entry ${wrong + 1} is not an international number` };
};

/** UTF-8 and Windows-1252 decoded as ISO-8859-1 usually contain control characters from U+0080 to U+009F. */
export const messageText: FieldCheck<string> = (text) => {
  const forbidden = /[^\P{Cc}\n\r\t\f]|\p{Cs}/u.exec(text);
  if (!forbidden) return null;
  const codePoint = (forbidden[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { reason: `U+${codePoint} at offset ${forbidden.index} cannot be sent` };
};

export function messageTextUpTo(max: number): FieldCheck<string> {
  return (text, fields, context) => {
    const count = countCharacters(text);
    if (count > max) return { reason: `${count} characters, ${max} allowed` };
    return messageText(text, fields, context);
  };
}

export const uploadedFile: FieldCheck<UploadedFile> = ({ size }, _fields, { maxUpload }) => {
  if (size > maxUpload) {
    return { reason: `${size} bytes, ${maxUpload} allowed`, code: null, httpStatus: 413 };
  }
  return size === 0 ? { reason: "is empty" } : null;
};

export const messageId: FieldCheck<string> = (id) =>
  /\p{Cc}|\p{Cs}/u.test(id) ? { reason: "must not contain control characters" } : null;

export const isWebUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

export const callbackUrl: FieldCheck<string> = (text) =>
  isWebUrl(text) ? null : { reason: "must be an http or https URL" };

export const senderAddress: FieldCheck<string> = (sender, fields) => {
  const type = fields.senderAddressType;
  const forms = typeof type === "string" ? [SENDER_FORMS[type]] : Object.values(SENDER_FORMS);
  return forms.some((form) => form?.test(sender))
    ? null
    : { reason: `is not a valid ${typeof type === "string" ? `${type} ` : ""}sender address` };
};
