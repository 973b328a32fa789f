import type { FieldSpec } from "./field-spec";

const BLANK = { source: "blank", value: "" } as const;

/** Every parameter of the SMS endpoint. docs/service.md, Fields and limits. */
export const SMS_FIELDS = [
  {
    name: "recipientAddressList",
    icon: "users",
    place: "message",
    type: "recipients",
    required: true,
    initial: { source: "msg", value: "to" },
  },
  {
    name: "messageContent",
    icon: "comment-o",
    place: "message",
    type: "text",
    required: true,
    initial: { source: "msg", value: "payload" },
    lines: true,
  },
  { name: "senderAddress", icon: "user", type: "text", required: false, initial: BLANK },
  {
    name: "senderAddressType",
    icon: "id-card-o",
    type: "choice",
    required: false,
    initial: BLANK,
    choices: ["national", "international", "alphanumeric", "shortcode"],
  },
  {
    name: "messageType",
    icon: "phone",
    type: "choice",
    required: false,
    initial: BLANK,
    choices: ["default", "voice"],
  },
  { name: "sendAsFlashSms", icon: "bolt", type: "boolean", required: false, initial: BLANK },
  {
    name: "contentCategory",
    icon: "tag",
    type: "choice",
    required: false,
    initial: BLANK,
    choices: ["informational", "advertisement"],
  },
  { name: "validityPeriode", icon: "clock-o", type: "integer", required: false, initial: BLANK },
  { name: "test", icon: "flask", type: "boolean", required: false, initial: BLANK },
  {
    name: "clientMessageId",
    icon: "hashtag",
    place: "advanced",
    type: "text",
    required: false,
    initial: BLANK,
  },
  {
    name: "notificationCallbackUrl",
    icon: "bell-o",
    place: "advanced",
    type: "text",
    required: false,
    initial: BLANK,
  },
  {
    name: "maxSmsPerMessage",
    icon: "scissors",
    place: "advanced",
    type: "integer",
    required: false,
    initial: BLANK,
  },
  {
    name: "priority",
    icon: "sort-amount-desc",
    place: "advanced",
    type: "integer",
    required: false,
    initial: BLANK,
  },
] as const satisfies readonly FieldSpec[];

/** How the SMS node reaches the service: by content, or always by one of the three endpoints. */
export const SMS_INTERFACES = ["automatic", "form", "json", "get"] as const;
export type SmsInterface = (typeof SMS_INTERFACES)[number];
