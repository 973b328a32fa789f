import { writeJson } from "./answer-writers";
import { LEGACY_CODES } from "./codes";
import { type Endpoint, messageFrom } from "./endpoint";
import { messageTextUpTo, uploadedFile } from "../rules/field-checks";
import type { FieldRule } from "../rules/field-rules";
import {
  CONTENT_CATEGORY,
  MESSAGE_ID,
  PRIORITY,
  RECIPIENT_LIST,
  TEST,
  VALIDITY,
} from "../rules/common-fields";
import { jsonReply } from "./reply";
import type { UploadedFile } from "../request/uploaded-file";

const MAX_CHARACTERS = 10_000;

const check = messageTextUpTo(MAX_CHARACTERS);
const CONTENT: FieldRule = { name: "messageContent", type: "text", missing: 4019, invalid: 4009, check };
const ATTACHMENT: FieldRule = {
  name: "attachmentId",
  type: "integer",
  invalid: 4034,
  check: (id, _fields, { inventory }) => (inventory.attachments.has(id) ? null : { reason: "is not known" }),
};
const FILE: FieldRule = { name: "file", type: "file", missing: 4019, invalid: 4034, check: uploadedFile };

const common = {
  method: "POST",
  auth: "legacy",
  scope: null,
  charset: "utf-8",
  codes: LEGACY_CODES,
  write: writeJson,
} as const;

const ENDPOINTS: readonly Endpoint[] = [
  {
    ...common,
    id: "whatsapp-broadcast",
    path: "/converged/whatsapp",
    encoding: "json",
    fields: [RECIPIENT_LIST, CONTENT, MESSAGE_ID, CONTENT_CATEGORY, PRIORITY, TEST, ATTACHMENT, VALIDITY],
    action: {
      kind: "send",
      parseMessage: (fields) =>
        messageFrom(fields, {
          channel: "whatsapp",
          recipients: fields.recipientAddressList as readonly string[],
          content: String(fields.messageContent),
        }),
      rules: [],
    },
  },
  {
    ...common,
    id: "attachment-create",
    path: "/whatsapp/attachment",
    encoding: "multipart",
    fields: [FILE],
    action: {
      kind: "answer",
      reply: ({ file }, { inventory }) => {
        const attachmentId = inventory.attachments.add((file as UploadedFile).describe());
        return jsonReply(200, { statusCode: 2000, statusMessage: "OK", attachmentId }, 2000);
      },
    },
  },
];

/** The description of the service shows these paths without the prefix `/rest` of legacy paths. */
export const WHATSAPP_LEGACY_ENDPOINTS: readonly Endpoint[] = ENDPOINTS.flatMap((endpoint) => [
  endpoint,
  { ...endpoint, path: `/rest${endpoint.path}` },
]);
