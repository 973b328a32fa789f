import { FieldError } from "../../../lib/shared/messaging-error";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";

/** Only the contact is checked, so that nothing is sent to a wrong recipient. */

type Fields = Readonly<Record<string, unknown>>;

const PAYLOAD = "rcsPayload";
const CONTACT = `${PAYLOAD}.messageContact`;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const refuse = (field: string, problem: string): never => {
  throw new FieldError("FIELD_INVALID", field, problem);
};

const toDigits = (contact: unknown): string =>
  String(contact)
    .replace(/^tel:/i, "")
    .replace(/[\s()./-]/g, "")
    .replace(/^(\+|00)/, "");

function checkContact({ userContact, chatId }: Fields, recipients: readonly string[]): void {
  if (userContact !== undefined && userContact !== null) {
    const other = recipients.find((digits) => digits !== toDigits(userContact));
    if (other !== undefined) {
      refuse(
        `${CONTACT}.userContact`,
        say("sources.rcs.other-contact", { value: quoteValue(userContact), other }),
      );
    }
  }
  if (chatId !== undefined && chatId !== null && recipients.length !== 1) {
    refuse(`${CONTACT}.chatId`, say("sources.rcs.chat-of-many", { count: recipients.length }));
  }
}

/** @throws FieldError if an object is missing or the contact is not the recipient */
export function readRawPayload(payload: unknown, recipients: readonly string[]): Fields {
  if (!isObject(payload)) {
    return refuse(PAYLOAD, say("sources.rcs.not-payload"));
  }
  const { RCSMessage, messageContact } = payload;
  if (!isObject(RCSMessage)) {
    return refuse(
      `${PAYLOAD}.RCSMessage`,
      say(RCSMessage === undefined ? "sources.rcs.missing-message" : "sources.rcs.not-object"),
    );
  }
  if (!isObject(messageContact)) {
    return refuse(
      CONTACT,
      messageContact === undefined
        ? say("sources.rcs.missing-contact", { digits: recipients[0] ?? "41791234567" })
        : say("sources.rcs.not-object"),
    );
  }
  checkContact(messageContact, recipients);
  return payload;
}
