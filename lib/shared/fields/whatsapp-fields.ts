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
export const WHATSAPP_FIELDS: readonly FieldSpec[] = [
  // Sent as the list of a broadcast or, one by one, as the recipient of the others.
  { name: "recipients", kind: "recipients", required: true, initial: { source: "msg", value: "to" } },
  { name: "content", kinds: ["text"], kind: "text", lines: true, required: true, initial: PAYLOAD },
  {
    name: "mediaId",
    kinds: ["media"],
    kind: "text",
    required: true,
    initial: { source: "msg", value: "mediaId" },
  },
  {
    name: "description",
    field: "content",
    kinds: ["media"],
    kind: "text",
    lines: true,
    required: false,
    initial: BLANK,
  },
  {
    name: "templateName",
    kinds: ["template"],
    kind: "text",
    required: true,
    initial: { source: "str", value: "" },
  },
  {
    name: "templateLocale",
    kinds: ["template"],
    kind: "text",
    required: true,
    initial: { source: "str", value: "" },
  },
  {
    name: "localizableParams",
    kinds: ["template"],
    kind: "placeholders",
    required: false,
    initial: { source: "list", value: "" },
  },
  {
    name: "messageContent",
    kinds: ["broadcast"],
    kind: "text",
    lines: true,
    required: true,
    initial: PAYLOAD,
  },
  { name: "attachmentId", kinds: ["broadcast"], kind: "integer", required: false, initial: BLANK },
  { name: "applicationId", kinds: TO_ONE, kind: "text", required: false, initial: BLANK },
  {
    name: "contentCategory",
    kinds: ["broadcast"],
    kind: "choice",
    required: false,
    initial: BLANK,
    choices: ["informational", "advertisement"],
  },
  { name: "validityPeriode", kinds: ["broadcast"], kind: "integer", required: false, initial: BLANK },
  { name: "test", kinds: ["broadcast"], kind: "boolean", required: false, initial: BLANK },
  { name: "priority", kinds: ["broadcast"], kind: "integer", required: false, initial: BLANK },
  { name: "clientMessageId", kind: "text", required: false, initial: BLANK },
];
