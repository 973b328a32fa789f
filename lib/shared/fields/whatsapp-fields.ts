import { CONTENT_CATEGORIES } from "./content-categories";
import { type FieldSpec, fromMessage, OPTIONAL } from "./field-spec";

export const WHATSAPP_KINDS = ["text", "media", "template", "broadcast"] as const;
export type WhatsAppKind = (typeof WHATSAPP_KINDS)[number];

const TO_ONE = ["text", "media", "template"] as const satisfies readonly WhatsAppKind[];

/** docs/service.md, Fields and limits. */
export const WHATSAPP_FIELDS = [
  // A list for a broadcast, one recipient for the other kinds.
  { name: "recipients", icon: "users", place: "message", type: "recipients", ...fromMessage("to") },
  {
    name: "content",
    icon: "comment-o",
    place: "message",
    messageKinds: ["text"],
    type: "text",
    lines: true,
    ...fromMessage("payload"),
  },
  {
    name: "mediaId",
    icon: "picture-o",
    place: "message",
    messageKinds: ["media"],
    type: "text",
    ...fromMessage("mediaId"),
  },
  {
    name: "description",
    icon: "align-left",
    place: "message",
    field: "content",
    messageKinds: ["media"],
    type: "text",
    lines: true,
    ...OPTIONAL,
  },
  {
    name: "templateName",
    icon: "file-text-o",
    place: "template",
    messageKinds: ["template"],
    type: "text",
    required: true,
    initial: { source: "str", value: "" },
  },
  {
    name: "templateLocale",
    icon: "language",
    place: "template",
    messageKinds: ["template"],
    type: "text",
    required: true,
    initial: { source: "str", value: "" },
  },
  {
    name: "localizableParams",
    icon: "list-ol",
    place: "template",
    messageKinds: ["template"],
    type: "placeholders",
    required: false,
    initial: { source: "list", value: "" },
  },
  {
    name: "messageContent",
    icon: "comment-o",
    place: "broadcast",
    messageKinds: ["broadcast"],
    type: "text",
    lines: true,
    ...fromMessage("payload"),
  },
  {
    name: "attachmentId",
    icon: "paperclip",
    place: "broadcast",
    messageKinds: ["broadcast"],
    type: "integer",
    ...OPTIONAL,
  },
  { name: "applicationId", icon: "id-card-o", messageKinds: TO_ONE, type: "text", ...OPTIONAL },
  {
    name: "contentCategory",
    icon: "tag",
    messageKinds: ["broadcast"],
    type: "choice",
    ...OPTIONAL,
    choices: CONTENT_CATEGORIES,
  },
  { name: "validityPeriode", icon: "clock-o", messageKinds: ["broadcast"], type: "integer", ...OPTIONAL },
  { name: "test", icon: "flask", messageKinds: ["broadcast"], type: "boolean", ...OPTIONAL },
  { name: "clientMessageId", icon: "hashtag", place: "advanced", type: "text", ...OPTIONAL },
  {
    name: "priority",
    icon: "sort-amount-desc",
    place: "advanced",
    messageKinds: ["broadcast"],
    type: "integer",
    ...OPTIONAL,
  },
] as const satisfies readonly FieldSpec[];
