import { deliveryReport, inboundMessage, inboundSms, statusMessage } from "../../support/http/webhook-events";

/** Events as the service sends them, one of each kind. */
export const MESSAGE = inboundMessage({ content: "Grüezi 👋" });

export const TEXT_SMS = inboundSms({ notificationId: "n-1" });

export const BINARY_SMS = {
  messageType: "binary",
  notificationId: "n-2",
  senderAddress: "41790000001",
  recipientAddress: "41790000002",
  userDataHeaderPresent: false,
  binaryMessageContent: ["AAEC", "_-8="],
};

export const STATUS = statusMessage({ transferId: "t-1" });

export const REPORT = deliveryReport({ notificationId: "n-3" });
