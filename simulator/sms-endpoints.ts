import { writeForm, writeJson } from "./answer-writers";
import { LEGACY_CODES } from "./codes";
import type { Action, Channel, Draft, Endpoint } from "./endpoint";
import {
  between,
  callbackUrl,
  messageId,
  messageText,
  oneOf,
  priority,
  recipientList,
  senderAddress,
} from "./field-checks";
import type { FieldRule, Fields, Refusal } from "./field-rules";
import { countSegments } from "./segments";

const MINUTE = 60;
const THREE_DAYS = 259_200;

const FIELDS: readonly FieldRule[] = [
  {
    name: "recipientAddressList",
    type: "list",
    required: true,
    empty: 4019,
    invalid: 4002,
    check: recipientList,
  },
  { name: "messageContent", type: "text", required: true, invalid: 4009, check: messageText },
  { name: "clientMessageId", type: "text", required: false, invalid: 4008, check: messageId },
  {
    name: "contentCategory",
    type: "text",
    required: false,
    invalid: 4040,
    check: oneOf("informational", "advertisement"),
  },
  {
    name: "maxSmsPerMessage",
    type: "integer",
    required: false,
    // No code of the contract fits a number that is none.
    invalid: null,
    check: between(0, Number.MAX_SAFE_INTEGER),
  },
  { name: "messageType", type: "text", required: false, invalid: 4004, check: oneOf("default", "voice") },
  { name: "notificationCallbackUrl", type: "text", required: false, invalid: 4016, check: callbackUrl },
  { name: "priority", type: "integer", required: false, invalid: 4015, check: priority },
  { name: "sendAsFlashSms", type: "boolean", required: false, invalid: null },
  {
    name: "senderAddressType",
    type: "text",
    required: false,
    invalid: 4003,
    check: oneOf("national", "international", "alphanumeric", "shortcode"),
  },
  { name: "senderAddress", type: "text", required: false, invalid: 4003, check: senderAddress },
  { name: "test", type: "boolean", required: false, invalid: null },
  {
    name: "validityPeriode",
    type: "integer",
    required: false,
    invalid: 4041,
    check: between(MINUTE, THREE_DAYS),
  },
];

function channelOf(fields: Fields): Channel {
  if (fields.messageType === "voice") return "voice";
  return fields.sendAsFlashSms === true ? "flash" : "sms";
}

function draft(fields: Fields): Draft {
  const channel = channelOf(fields);
  const content = String(fields.messageContent);
  return {
    channel,
    recipients: fields.recipientAddressList as readonly string[],
    content,
    clientMessageId: typeof fields.clientMessageId === "string" ? fields.clientMessageId : null,
    segmentsPerRecipient: channel === "voice" ? 1 : countSegments(content).segments,
    test: fields.test === true,
  };
}

function refuseTooManySegments({ segmentsPerRecipient }: Draft, fields: Fields): Refusal | null {
  const most = Number(fields.maxSmsPerMessage ?? 0);
  if (most === 0 || segmentsPerRecipient <= most) return null;
  return { verdict: 4026, reason: `${segmentsPerRecipient} needed, ${most} allowed` };
}

const send: Action = { kind: "send", draft, rules: [refuseTooManySegments] };

const common = { auth: "legacy", scope: null, codes: LEGACY_CODES, fields: FIELDS, action: send } as const;

/** The text message endpoints of the legacy style: form, query and JSON, all with the same parameters. */
export const SMS_ENDPOINTS: readonly Endpoint[] = [
  {
    ...common,
    id: "sms-form",
    method: "POST",
    path: "/rest/smsmessaging/simple",
    encoding: "form-or-query",
    charset: "iso-8859-1",
    write: writeForm,
  },
  {
    ...common,
    id: "sms-get",
    method: "GET",
    path: "/rest/smsmessaging/simple",
    encoding: "query",
    charset: "iso-8859-1",
    write: writeForm,
  },
  {
    ...common,
    id: "sms-json",
    method: "POST",
    path: "/rest/smsmessaging/text",
    encoding: "json",
    charset: "utf-8",
    write: writeJson,
  },
];
