import type { FieldSpec } from "./field-spec";

const BLANK = { source: "blank", value: "" } as const;

/** Every parameter of the SMS endpoint. docs/service.md, Fields and limits. */
export const SMS_FIELDS: readonly FieldSpec[] = [
  {
    name: "recipientAddressList",
    kind: "recipients",
    required: true,
    initial: { source: "msg", value: "to" },
  },
  {
    name: "messageContent",
    kind: "text",
    required: true,
    initial: { source: "msg", value: "payload" },
    lines: true,
  },
  {
    name: "messageType",
    kind: "choice",
    required: false,
    initial: BLANK,
    choices: ["default", "voice"],
  },
  { name: "sendAsFlashSms", kind: "boolean", required: false, initial: BLANK },
  { name: "senderAddress", kind: "text", required: false, initial: BLANK },
  {
    name: "senderAddressType",
    kind: "choice",
    required: false,
    initial: BLANK,
    choices: ["national", "international", "alphanumeric", "shortcode"],
  },
  { name: "clientMessageId", kind: "text", required: false, initial: BLANK },
  {
    name: "contentCategory",
    kind: "choice",
    required: false,
    initial: BLANK,
    choices: ["informational", "advertisement"],
  },
  { name: "maxSmsPerMessage", kind: "integer", required: false, initial: BLANK },
  { name: "priority", kind: "integer", required: false, initial: BLANK },
  { name: "validityPeriode", kind: "integer", required: false, initial: BLANK },
  { name: "notificationCallbackUrl", kind: "text", required: false, initial: BLANK },
  { name: "test", kind: "boolean", required: false, initial: BLANK },
];

/** How the SMS node reaches the service: by content, or always by one of the three endpoints. */
export const SMS_INTERFACES = ["automatic", "form", "json", "get"] as const;
export type SmsInterface = (typeof SMS_INTERFACES)[number];
