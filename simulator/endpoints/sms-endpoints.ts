import { writeForm, writeJson } from "./answer-writers";
import { LEGACY_CODES } from "./codes";
import type { Channel } from "../messages/records";
import { type Action, type Endpoint, messageFrom } from "./endpoint";
import type { ParsedMessage } from "../messages/records";
import { between, callbackUrl, messageText, oneOf, senderAddress } from "../rules/field-checks";
import type { FieldRule, Fields, Refusal } from "../rules/field-rules";
import {
  CONTENT_CATEGORY,
  MESSAGE_ID,
  PRIORITY,
  RECIPIENT_LIST,
  TEST,
  VALIDITY,
} from "../rules/common-fields";
import { countSegments } from "../rules/segments";

const FIELDS: readonly FieldRule[] = [
  RECIPIENT_LIST,
  { name: "messageContent", type: "text", missing: 4019, invalid: 4009, check: messageText },
  MESSAGE_ID,
  CONTENT_CATEGORY,
  {
    name: "maxSmsPerMessage",
    type: "integer",
    // No status code for an invalid number here. docs/service.md, Status codes.
    invalid: null,
    check: between(0, Number.MAX_SAFE_INTEGER),
  },
  { name: "messageType", type: "text", invalid: 4004, check: oneOf("default", "voice") },
  { name: "notificationCallbackUrl", type: "text", invalid: 4016, check: callbackUrl },
  PRIORITY,
  { name: "sendAsFlashSms", type: "boolean", invalid: null },
  {
    name: "senderAddressType",
    type: "text",
    invalid: 4003,
    check: oneOf("national", "international", "alphanumeric", "shortcode"),
  },
  { name: "senderAddress", type: "text", invalid: 4003, check: senderAddress },
  TEST,
  VALIDITY,
];

function channelOf(fields: Fields): Channel {
  if (fields.messageType === "voice") return "voice";
  return fields.sendAsFlashSms === true ? "flash" : "sms";
}

function parseMessage(fields: Fields): ParsedMessage {
  const channel = channelOf(fields);
  const content = String(fields.messageContent);
  const recipients = fields.recipientAddressList as readonly string[];
  const segmentsPerRecipient = channel === "voice" ? 1 : countSegments(content).segments;
  return messageFrom(fields, { channel, recipients, content, segmentsPerRecipient });
}

function refuseTooManySegments({ segmentsPerRecipient }: ParsedMessage, fields: Fields): Refusal | null {
  const max = Number(fields.maxSmsPerMessage ?? 0);
  if (max === 0 || segmentsPerRecipient <= max) return null;
  return { code: 4026, reason: `${segmentsPerRecipient} needed, ${max} allowed` };
}

const send: Action = { kind: "send", parseMessage, rules: [refuseTooManySegments] };

const common = { auth: "legacy", scope: null, codes: LEGACY_CODES, fields: FIELDS, action: send } as const;

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
