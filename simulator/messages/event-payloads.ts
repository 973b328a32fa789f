import { randomBytes } from "node:crypto";
import { APPLICATION_ID } from "../sign-in/credentials";
import { digits } from "../util/formats";
import type { IncomingMessage, IncomingSms } from "./incoming";
import type { SimulatedMessage } from "./records";

/** Number of the simulated customer, the recipient of inbound messages. */
export const OWN_NUMBER = "+999570000001";

export interface StatusChange {
  readonly message: SimulatedMessage;
  readonly recipient: string;
  readonly status: string;
  readonly at: number;
}

type MessengerText = Omit<IncomingMessage, "event" | "media" | "repeat"> & {
  readonly content: string;
  readonly suggestedResponse?: object;
};

type SmsText = Pick<IncomingSms, "sender" | "recipient"> &
  ({ readonly content: string } | { readonly binary: readonly string[] });

const DELIVERED = new Set(["delivered", "read"]);

export function hasReports({ channel }: SimulatedMessage): boolean {
  return channel === "sms" || channel === "flash" || channel === "voice";
}

export function statusPayload(change: StatusChange): Record<string, unknown> {
  return hasReports(change.message) ? reportPayload(change) : messengerStatus(change);
}

function messengerStatus({ message, recipient, status, at }: StatusChange): Record<string, unknown> {
  return {
    // A broadcast has no applicationId.
    applicationId: message.fields.applicationId ?? APPLICATION_ID,
    sender: withPlus(recipient),
    transferId: message.transferId,
    messageStatus: status,
    ...(DELIVERED.has(status) && { deliveredOn: localTime(at) }),
    ...(message.clientMessageId !== null && { clientMessageId: message.clientMessageId }),
  };
}

function reportPayload({ message, recipient, status, at }: StatusChange): Record<string, unknown> {
  const delivered = status === "delivered";
  return {
    messageType: "deliveryReport",
    notificationId: newNotificationId(),
    transferId: message.transferId,
    senderAddress: digits(recipient),
    deliveryReportMessageStatus: status,
    sentOn: localTime(message.at),
    ...(delivered && { deliveredOn: localTime(at) }),
    ...(delivered && { deliveredAs: message.channel === "voice" ? "voice" : "sms" }),
    ...(message.clientMessageId !== null && { clientMessageId: message.clientMessageId }),
  };
}

export function messengerPayload(text: MessengerText): Record<string, unknown> {
  const {
    sender,
    content,
    type = "whatsapp",
    displayName,
    recipient = OWN_NUMBER,
    mediaId,
    suggestedResponse,
  } = text;
  return {
    type,
    applicationId: text.applicationId ?? APPLICATION_ID,
    sender,
    user: { displayName: displayName ?? sender },
    recipient,
    content,
    ...(mediaId !== undefined && { mediaId }),
    ...(suggestedResponse !== undefined && { suggestedResponse }),
  };
}

export function smsPayload(text: SmsText): Record<string, unknown> {
  return {
    messageType: "content" in text ? "text" : "binary",
    notificationId: newNotificationId(),
    messageFlashSms: false,
    senderAddress: digits(text.sender),
    senderAddressType: "international",
    recipientAddress: digits(text.recipient ?? OWN_NUMBER),
    recipientAddressType: "international",
    ...("content" in text
      ? { textMessageContent: text.content }
      : { userDataHeaderPresent: false, binaryMessageContent: text.binary }),
  };
}

function newNotificationId(): string {
  return String(randomBytes(8).readBigUInt64BE()).padStart(20, "0");
}

export function withPlus(number: string): string {
  return `+${digits(number)}`;
}

function localTime(milliseconds: number): string {
  const east = -new Date(milliseconds).getTimezoneOffset();
  const local = new Date(milliseconds + east * 60_000).toISOString().slice(0, -1);
  const distance = Math.abs(east);
  const part = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${local}${east < 0 ? "-" : "+"}${part(distance / 60)}:${part(distance % 60)}`;
}
