import { CONTENT_CATEGORIES } from "./content-categories";
import { type FieldSpec, fromMessage, OPTIONAL } from "./field-spec";

/** docs/service.md, Fields and limits. */
export const SMS_FIELDS = [
  { name: "recipientAddressList", icon: "users", place: "message", type: "recipients", ...fromMessage("to") },
  {
    name: "messageContent",
    icon: "comment-o",
    place: "message",
    type: "text",
    ...fromMessage("payload"),
    lines: true,
  },
  { name: "senderAddress", icon: "user", type: "text", ...OPTIONAL },
  {
    name: "senderAddressType",
    icon: "id-card-o",
    type: "choice",
    ...OPTIONAL,
    choices: ["national", "international", "alphanumeric", "shortcode"],
  },
  { name: "messageType", icon: "phone", type: "choice", ...OPTIONAL, choices: ["default", "voice"] },
  { name: "sendAsFlashSms", icon: "bolt", type: "boolean", ...OPTIONAL },
  {
    name: "contentCategory",
    icon: "tag",
    type: "choice",
    ...OPTIONAL,
    choices: CONTENT_CATEGORIES,
  },
  { name: "validityPeriode", icon: "clock-o", type: "integer", ...OPTIONAL },
  { name: "test", icon: "flask", type: "boolean", ...OPTIONAL },
  { name: "clientMessageId", icon: "hashtag", place: "advanced", type: "text", ...OPTIONAL },
  { name: "notificationCallbackUrl", icon: "bell-o", place: "advanced", type: "text", ...OPTIONAL },
  { name: "maxSmsPerMessage", icon: "scissors", place: "advanced", type: "integer", ...OPTIONAL },
  { name: "priority", icon: "sort-amount-desc", place: "advanced", type: "integer", ...OPTIONAL },
] as const satisfies readonly FieldSpec[];

export const SMS_INTERFACES = ["automatic", "form", "json", "get"] as const;
export type SmsInterface = (typeof SMS_INTERFACES)[number];
