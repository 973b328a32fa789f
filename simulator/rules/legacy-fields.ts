import { between, messageId, oneOf, priority, recipientList } from "./field-checks";
import type { FieldRule } from "./field-rules";

// Parameters that the legacy send endpoints share.

const MINUTE = 60;
const THREE_DAYS = 259_200;

export const RECIPIENT_LIST: FieldRule = {
  name: "recipientAddressList",
  type: "list",
  required: true,
  empty: 4019,
  invalid: 4002,
  check: recipientList,
};
export const MESSAGE_ID: FieldRule = {
  name: "clientMessageId",
  type: "text",
  required: false,
  invalid: 4008,
  check: messageId,
};
export const CONTENT_CATEGORY: FieldRule = {
  name: "contentCategory",
  type: "text",
  required: false,
  invalid: 4040,
  check: oneOf("informational", "advertisement"),
};
export const PRIORITY: FieldRule = {
  name: "priority",
  type: "integer",
  required: false,
  invalid: 4015,
  check: priority,
};
export const TEST: FieldRule = { name: "test", type: "boolean", required: false, invalid: null };
export const VALIDITY: FieldRule = {
  name: "validityPeriode",
  type: "integer",
  required: false,
  invalid: 4041,
  check: between(MINUTE, THREE_DAYS),
};
