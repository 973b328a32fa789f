import type { FieldSpec } from "./field-spec";

/** The kinds of WhatsApp messages a node can be set to, the initial one first. */
export const WHATSAPP_KINDS = ["text", "media", "template", "broadcast"] as const;
export type WhatsAppKind = (typeof WHATSAPP_KINDS)[number];

const BLANK = { source: "blank", value: "" } as const;
const PAYLOAD = { source: "msg", value: "payload" } as const;
const TO_ONE = ["text", "media", "template"] as const satisfies readonly WhatsAppKind[];

/**
 * Every field of the four WhatsApp endpoints. docs/service.md, Fields and limits.
 */
export const WHATSAPP_FIELDS = [
  // Sent as the list of a broadcast or, one by one, as the recipient of the others.
  {
    name: "recipients",
    icon: "users",
    place: "message",
    kind: "recipients",
    required: true,
    initial: { source: "msg", value: "to" },
  },
  {
    name: "content",
    icon: "comment-o",
    place: "message",
    kinds: ["text"],
    kind: "text",
    lines: true,
    required: true,
    initial: PAYLOAD,
  },
  {
    name: "mediaId",
    icon: "picture-o",
    place: "message",
    kinds: ["media"],
    kind: "text",
    required: true,
    initial: { source: "msg", value: "mediaId" },
  },
  {
    name: "description",
    icon: "align-left",
    place: "message",
    field: "content",
    kinds: ["media"],
    kind: "text",
    lines: true,
    required: false,
    initial: BLANK,
  },
  {
    name: "templateName",
    icon: "file-text-o",
    place: "message",
    kinds: ["template"],
    kind: "text",
    required: true,
    initial: { source: "str", value: "" },
  },
  {
    name: "templateLocale",
    icon: "language",
    place: "message",
    kinds: ["template"],
    kind: "text",
    required: true,
    initial: { source: "str", value: "" },
  },
  {
    name: "localizableParams",
    icon: "list-ol",
    place: "message",
    kinds: ["template"],
    kind: "placeholders",
    required: false,
    initial: { source: "list", value: "" },
  },
  {
    name: "messageContent",
    icon: "comment-o",
    place: "broadcast",
    kinds: ["broadcast"],
    kind: "text",
    lines: true,
    required: true,
    initial: PAYLOAD,
  },
  {
    name: "attachmentId",
    icon: "paperclip",
    place: "broadcast",
    kinds: ["broadcast"],
    kind: "integer",
    required: false,
    initial: BLANK,
  },
  { name: "applicationId", icon: "id-card-o", kinds: TO_ONE, kind: "text", required: false, initial: BLANK },
  {
    name: "contentCategory",
    icon: "tag",
    kinds: ["broadcast"],
    kind: "choice",
    required: false,
    initial: BLANK,
    choices: ["informational", "advertisement"],
  },
  {
    name: "validityPeriode",
    icon: "clock-o",
    kinds: ["broadcast"],
    kind: "integer",
    required: false,
    initial: BLANK,
  },
  { name: "test", icon: "flask", kinds: ["broadcast"], kind: "boolean", required: false, initial: BLANK },
  {
    name: "clientMessageId",
    icon: "hashtag",
    place: "advanced",
    kind: "text",
    required: false,
    initial: BLANK,
  },
  {
    name: "priority",
    icon: "sort-amount-desc",
    place: "advanced",
    kinds: ["broadcast"],
    kind: "integer",
    required: false,
    initial: BLANK,
  },
] as const satisfies readonly FieldSpec[];
