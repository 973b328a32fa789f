import { FieldError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";

/** Raw payloads from the flow. Only the contact is checked, so that nothing is sent to the wrong person. */

type Fields = Readonly<Record<string, unknown>>;

const PAYLOAD = "rcsPayload";
const CONTACT = `${PAYLOAD}.messageContact`;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const refuse = (field: string, problem: string): never => {
  throw new FieldError("FIELD_INVALID", field, problem);
};

/** The digits of a number in any notation. */
const digitsOf = (contact: unknown): string =>
  String(contact)
    .replace(/^tel:/i, "")
    .replace(/[\s()./-]/g, "")
    .replace(/^(\+|00)/, "");

function checkContact({ userContact, chatId }: Fields, recipients: readonly string[]): void {
  if (userContact !== undefined && userContact !== null) {
    const other = recipients.find((digits) => digits !== digitsOf(userContact));
    if (other !== undefined) {
      refuse(
        `${CONTACT}.userContact`,
        `is ${quoteValue(userContact)}, but the message also goes to '+${other}'. A raw payload reaches one person: send one message for each, with the same number in both places`,
      );
    }
  }
  if (chatId !== undefined && chatId !== null && recipients.length !== 1) {
    refuse(
      `${CONTACT}.chatId`,
      `stands for one person, but the message has ${recipients.length} recipients. Send one message for each`,
    );
  }
}

/** @throws FieldError where one of the two objects is missing or the contact is not the recipient */
export function readRawPayload(payload: unknown, recipients: readonly string[]): Fields {
  if (!isObject(payload)) {
    return refuse(PAYLOAD, "must be an object with RCSMessage and messageContact");
  }
  const { RCSMessage, messageContact } = payload;
  if (!isObject(RCSMessage)) {
    return refuse(
      `${PAYLOAD}.RCSMessage`,
      RCSMessage === undefined
        ? 'is required, but missing: put the content into it, for example { "textMessage": "Hello" }'
        : "must be an object",
    );
  }
  if (!isObject(messageContact)) {
    return refuse(
      CONTACT,
      messageContact === undefined
        ? `is required, but missing: add { "userContact": "+${recipients[0] ?? "41791234567"}" } beside RCSMessage`
        : "must be an object",
    );
  }
  checkContact(messageContact, recipients);
  return payload;
}
