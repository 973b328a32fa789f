import type { ZodType } from "zod";
import { OPERATIONS, type OperationId } from "../../lib/gateway/contract/operations";
import { LIMITS } from "../../lib/shared/fields/limits";
import { markdownTable } from "./markdown-table";

/** What a field holds: its type, and the rules that its value keeps. */
type FieldWords = readonly [type: string, rules: string];

const number = (value: number): string => value.toLocaleString("en-US");

const MSISDN = `${LIMITS.msisdnDigitsMin} to ${LIMITS.msisdnDigitsMax} digits, the first not 0`;

/** Words of each field, by its name, or by operation and name where operations differ. */
const FIELD_WORDS: Readonly<Record<string, FieldWords>> = {
  recipientAddressList: [
    "list of MSISDNs",
    `1 to ${number(LIMITS.recipientsPerRequest)} numbers: ${MSISDN}, no plus`,
  ],
  recipient: ["MSISDN in E.164 form", `one number with plus: ${MSISDN}`],
  applicationId: ["UUID", "the application that sends"],
  clientMessageId: ["text", "an id that the client chooses; the answer and later events repeat it"],
  "sms-form.messageContent": ["text", "at least 1 character; ISO-8859-1 in forms and links, UTF-8 in JSON"],
  "whatsapp-broadcast.messageContent": ["text, UTF-8", `1 to ${number(LIMITS.broadcastContent)} characters`],
  contentCategory: [
    "text",
    "`informational` or `advertisement`: decides which blacklist applies; absent, the account's default",
  ],
  maxSmsPerMessage: [
    "integer",
    "from 0: the highest number of SMS that the text may take, else code 4026; 0, the service's default, sets no limit",
  ],
  messageType: ["text", "`default`: the account's settings choose; `voice`: the text is read out in a call"],
  notificationCallbackUrl: ["URL", "gets each delivery report of the message"],
  priority: ["integer", "from 0; the highest that is allowed is a setting at the service (code 4015)"],
  sendAsFlashSms: ["boolean", "`true`: the text opens on the screen at once; default `false`"],
  senderAddress: ["text", "a sender that belongs to the account"],
  senderAddressType: ["text", "`national`, `international`, `alphanumeric` or `shortcode`"],
  test: [
    "boolean",
    "`true`: the service checks, sends nothing, and answers 2000 or 2001 by the number of recipients; default `false`",
  ],
  validityPeriode: [
    "integer, seconds",
    `${number(LIMITS.validityPeriodeMin)} to ${number(LIMITS.validityPeriodeMax)}: how long delivery is tried`,
  ],
  attachmentId: ["integer", "from 0; the attachment upload returns it"],
  "whatsapp-text.content": ["text, UTF-8", `1 to ${number(LIMITS.textContent)} characters`],
  "whatsapp-media.content": [
    "text, UTF-8",
    `the description of the file, up to ${number(LIMITS.mediaDescription)} characters`,
  ],
  mediaId: ["UUID", "a file at the service: the id of an upload or of an inbound message"],
  templateName: ["text, UTF-8", "the approved template; at least 1 character"],
  templateLocale: ["text, UTF-8", "its language, usually written `de` or `en_US`; any text is passed on"],
  localizableParams: [
    "list of objects",
    `one \`{"default": "value"}\` for each placeholder, in order, with no other key. A value has 1 to ` +
      `${number(LIMITS.placeholderValue)} characters and no line break; all values together have at most ` +
      `${number(LIMITS.templateContent)} characters`,
  ],
  rcsPayload: ["object", "`RCSMessage` and `messageContact`: [RCS messages](#rcs-messages)"],
  file: ["part of a multipart body", "the bytes, with a file name and a media type"],
  grant_type: ["text", "`client_credentials`"],
  scope: ["text", "the scopes asked for, with spaces between; this package asks for one at a time"],
};

/** @throws Error for a field without words: whoever adds a field describes it here */
function wordsOf(id: OperationId, field: string): FieldWords {
  const words = FIELD_WORDS[`${id}.${field}`] ?? FIELD_WORDS[field];
  if (words === undefined) {
    throw new Error(`scripts/docs/service-fields.ts does not describe ${field} of ${id}`);
  }
  return words;
}

const shapeOf = ({ request }: { readonly request: ZodType }): Readonly<Record<string, ZodType>> =>
  (request as unknown as { readonly shape: Readonly<Record<string, ZodType>> }).shape;

/** Operations whose request differs from that of the others; the key is the name of the place on the page. */
const DESCRIBED = {
  "fields-sms": "sms-form",
  "fields-broadcast": "whatsapp-broadcast",
  "fields-text": "whatsapp-text",
  "fields-media": "whatsapp-media",
  "fields-template": "whatsapp-template",
  "fields-rcs": "rcs",
  "fields-upload": "media-upload",
  "fields-download": "media-download",
  "fields-token": "token",
} as const satisfies Readonly<Record<string, OperationId>>;

function fieldTable(id: OperationId): string {
  const rows = Object.entries(shapeOf(OPERATIONS[id])).map(([field, schema]) => {
    const [type, rules] = wordsOf(id, field);
    return [`\`${field}\``, type, schema.isOptional() ? "no" : "yes", rules];
  });
  return markdownTable(["Field", "Type", "Required", "Rules"], rows);
}

/** A table of request fields for each kind of request, made from its schema. */
export const FIELD_TABLES: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(DESCRIBED).map(([place, id]) => [place, () => fieldTable(id)]),
);

/** Operations whose fields no table shows: none, unless a new schema has no place on the page yet. */
export const undescribedOperations = (): readonly string[] => {
  const described = new Set(Object.values(DESCRIBED).map((id) => OPERATIONS[id].request));
  return Object.values(OPERATIONS)
    .filter(({ request }) => !described.has(request))
    .map(({ id }) => id);
};
