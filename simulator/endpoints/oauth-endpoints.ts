import { writeOAuth } from "./answer-writers";
import { OAUTH_CODES } from "./codes";
import type { Channel } from "../messages/records";
import { isUuid } from "../util/formats";
import { type Action, type Endpoint, messageFrom, type MessageRule } from "./endpoint";
import type { CheckContext } from "../rules/field-rules";
import { messageTextUpTo, recipient } from "../rules/field-checks";
import type { FieldRule, Fields, JsonObject } from "../rules/field-rules";
import { MEDIA_ID } from "./media-endpoints";
import { MESSAGE_ID } from "../rules/common-fields";
import { rcsPayload, textOf } from "../rules/rcs-payload";
import { TEMPLATE_FIELDS, TEMPLATE_RULES, templateContent } from "./template-fields";

const MAX_CHARACTERS = 4096;

const APPLICATION: FieldRule = {
  name: "applicationId",
  type: "text",
  missing: 4001,
  invalid: 4001,
  check: (id, _fields, { inventory }) => {
    if (!isUuid(id)) return { reason: "must be a UUID" };
    return inventory.hasApplication(id) ? null : { reason: "is not an application of this account" };
  },
};
const RECIPIENT: FieldRule = {
  name: "recipient",
  type: "text",
  missing: 4002,
  invalid: 4002,
  check: recipient,
};
const content = {
  name: "content",
  type: "text",
  invalid: 4028,
  check: messageTextUpTo(MAX_CHARACTERS),
} as const;
const TEXT: FieldRule = { ...content, missing: 4009 };
const DESCRIPTION: FieldRule = { ...content, mayBeEmpty: true };
const PAYLOAD: FieldRule = {
  name: "rcsPayload",
  type: "object",
  missing: 4028,
  invalid: 4028,
  check: rcsPayload,
};

function send(
  channel: Channel,
  content: (fields: Fields, context: CheckContext) => string,
  rules: readonly MessageRule[] = [],
): Action {
  return {
    kind: "send",
    parseMessage: (fields, context) =>
      messageFrom(fields, {
        channel,
        recipients: [String(fields.recipient)],
        content: content(fields, context),
      }),
    rules,
  };
}

const hasWritten: MessageRule = ({ recipients }, _fields, { inventory }) =>
  recipients.every((each) => inventory.sessionWindow.isOpen(each))
    ? null
    : { code: 4400, reason: "recipient: has not written within the last 24 hours" };

const common = {
  method: "POST",
  auth: "bearer",
  encoding: "json",
  charset: "utf-8",
  write: writeOAuth,
} as const;

export const OAUTH_ENDPOINTS: readonly Endpoint[] = [
  {
    ...common,
    id: "whatsapp-text",
    path: "/messaging/whatsapp/send_text",
    scope: "messaging:whatsapp",
    codes: OAUTH_CODES.text,
    fields: [APPLICATION, RECIPIENT, TEXT, MESSAGE_ID],
    action: send("whatsapp", ({ content }) => String(content), [hasWritten]),
  },
  {
    ...common,
    id: "whatsapp-media",
    path: "/messaging/whatsapp/send_media",
    scope: "messaging:whatsapp",
    codes: OAUTH_CODES.media,
    fields: [APPLICATION, RECIPIENT, MEDIA_ID, DESCRIPTION, MESSAGE_ID],
    action: send("whatsapp", ({ content = "" }) => String(content)),
  },
  {
    ...common,
    id: "whatsapp-template",
    path: "/messaging/whatsapp/send_template",
    scope: "messaging:whatsapp",
    codes: OAUTH_CODES.template,
    fields: [APPLICATION, RECIPIENT, ...TEMPLATE_FIELDS, MESSAGE_ID],
    action: send("whatsapp", templateContent, TEMPLATE_RULES),
  },
  {
    ...common,
    id: "rcs",
    path: "/messaging/rcs/send",
    scope: "messaging:rcs",
    codes: OAUTH_CODES.rcs,
    fields: [APPLICATION, RECIPIENT, PAYLOAD, MESSAGE_ID],
    action: send("rcs", ({ rcsPayload: payload }) => textOf(payload as JsonObject)),
  },
];
