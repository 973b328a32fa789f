import { randomBytes } from "node:crypto";
import { APPLICATION_ID } from "../sign-in/credentials";
import { localTime } from "../util/local-time";
import type { SimulatedMessage } from "./records";

/** Number of the simulated customer, where people write to. */
export const OWN_NUMBER = "+999570000001";

/** What became of a message at one recipient. */
export interface StatusNews {
  readonly message: SimulatedMessage;
  /** With or without the plus. */
  readonly recipient: string;
  readonly status: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An inbound message of a messenger. */
export interface MessengerText {
  readonly sender: string;
  readonly content: string;
  readonly type?: string;
  readonly displayName?: string;
  readonly recipient?: string;
  readonly applicationId?: string;
  readonly mediaId?: string;
}

/** An inbound SMS: text, or binary content as URL-safe Base64, one for each part. */
export type SmsText = {
  readonly sender: string;
  readonly recipient?: string;
} & ({ readonly content: string } | { readonly binary: readonly string[] });

/** Statuses that a message reaches only after it was delivered, and that one. */
const DELIVERED = new Set(["delivered", "read"]);

/** True for what is reported the way of SMS. */
export function hasReports({ channel }: SimulatedMessage): boolean {
  return channel === "sms" || channel === "flash" || channel === "voice";
}

/** A status message, or for an SMS a delivery report. */
export function statusPayload(news: StatusNews): Record<string, unknown> {
  return hasReports(news.message) ? reportPayload(news) : messengerStatus(news);
}

function messengerStatus({ message, recipient, status, at }: StatusNews): Record<string, unknown> {
  return {
    // A broadcast names no application.
    applicationId: message.fields.applicationId ?? APPLICATION_ID,
    sender: withPlus(recipient),
    transferId: message.transferId,
    messageStatus: status,
    ...(DELIVERED.has(status) && { deliveredOn: localTime(at) }),
    ...(message.clientMessageId !== null && { clientMessageId: message.clientMessageId }),
  };
}

function reportPayload({ message, recipient, status, at }: StatusNews): Record<string, unknown> {
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
  const { sender, content, type = "whatsapp", displayName, recipient = OWN_NUMBER, mediaId } = text;
  return {
    type,
    applicationId: text.applicationId ?? APPLICATION_ID,
    sender,
    user: { displayName: displayName ?? sender },
    recipient,
    content,
    ...(mediaId !== undefined && { mediaId }),
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

/** 20 decimal digits that don't come again. */
function newNotificationId(): string {
  return String(randomBytes(8).readBigUInt64BE()).padStart(20, "0");
}

/** The number as the messengers write it. */
export function withPlus(number: string): string {
  return `+${digits(number)}`;
}

/** The number as SMS events write it. */
export function digits(number: string): string {
  return number.replace(/^\+/, "");
}
