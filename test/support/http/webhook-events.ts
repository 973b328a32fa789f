/** Events as the service posts them. */
export const APPLICATION_ID = "3f2b1c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d";

export const inboundMessage = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: "whatsapp",
  applicationId: APPLICATION_ID,
  sender: "+41790000001",
  user: { displayName: "Ada" },
  recipient: "+41790000009",
  content: "yes",
  ...fields,
});

export const statusMessage = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  applicationId: APPLICATION_ID,
  sender: "+41790000001",
  transferId: "00670eb55d00349e1111",
  messageStatus: "delivered",
  deliveredOn: "2026-01-15T20:33:03.000+02:00",
  clientMessageId: "order-7",
  ...fields,
});

export const deliveryReport = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  messageType: "deliveryReport",
  notificationId: "52806753278990000001",
  transferId: "00670eb55d00349e1111",
  senderAddress: "41790000001",
  deliveryReportMessageStatus: "delivered",
  sentOn: "2026-01-15T20:33:02.000+02:00",
  deliveredOn: "2026-01-15T20:33:03.000+02:00",
  deliveredAs: "sms",
  clientMessageId: "order-7",
  ...fields,
});

export const inboundSms = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  messageType: "text",
  notificationId: "52806753278990000002",
  messageFlashSms: false,
  senderAddress: "41790000001",
  senderAddressType: "international",
  recipientAddress: "41790000009",
  recipientAddressType: "international",
  textMessageContent: "STOP",
  ...fields,
});
