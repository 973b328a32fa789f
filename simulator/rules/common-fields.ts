import { between, messageId, oneOf, priority, recipientList } from "./field-checks";
import type { FieldRule } from "./field-rules";

const MINUTE = 60;
const THREE_DAYS = 259_200;

export const RECIPIENT_LIST: FieldRule = {
  name: "recipientAddressList",
  type: "list",
  missing: 4019,
  empty: 4019,
  invalid: 4002,
  check: recipientList,
};
export const MESSAGE_ID: FieldRule = {
  name: "clientMessageId",
  type: "text",
  invalid: 4008,
  check: messageId,
};
export const CONTENT_CATEGORY: FieldRule = {
  name: "contentCategory",
  type: "text",
  invalid: 4040,
  check: oneOf("informational", "advertisement"),
};
export const PRIORITY: FieldRule = { name: "priority", type: "integer", invalid: 4015, check: priority };
export const TEST: FieldRule = { name: "test", type: "boolean", invalid: null };
export const VALIDITY: FieldRule = {
  name: "validityPeriode",
  type: "integer",
  invalid: 4041,
  check: between(MINUTE, THREE_DAYS),
};
