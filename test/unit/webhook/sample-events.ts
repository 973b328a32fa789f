/** Events as the service sends them, one of each kind. */
export const MESSAGE = {
  type: "whatsapp",
  applicationId: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  sender: "+41790000001",
  user: { displayName: "Ada" },
  recipient: "+41790000002",
  content: "Grüezi 👋",
};

export const TEXT_SMS = {
  messageType: "text",
  notificationId: "n-1",
  messageFlashSms: false,
  senderAddress: "41790000001",
  senderAddressType: "international",
  recipientAddress: "41790000002",
  recipientAddressType: "international",
  textMessageContent: "yes",
};

export const BINARY_SMS = {
  messageType: "binary",
  notificationId: "n-2",
  senderAddress: "41790000001",
  recipientAddress: "41790000002",
  userDataHeaderPresent: false,
  binaryMessageContent: ["AAEC", "_-8="],
};

export const STATUS = {
  applicationId: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  sender: "+41790000001",
  transferId: "t-1",
  messageStatus: "delivered",
  deliveredOn: "2024-10-15T20:33:03.000+02:00",
  clientMessageId: "order-7",
};

export const REPORT = {
  messageType: "deliveryReport",
  notificationId: "n-3",
  transferId: "t-2",
  senderAddress: "41790000000",
  deliveryReportMessageStatus: "delivered",
  sentOn: "2024-10-15T20:33:02.000+02:00",
  deliveredOn: "2024-10-15T20:33:03.000+02:00",
  deliveredAs: "sms",
  clientMessageId: "order-8",
};
