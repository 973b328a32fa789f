import { CODE_FIELDS } from "../../nodes/verify-code/shared/code-fields";
import { DIGEST_FIELDS } from "../../nodes/message-digest/shared/digest-fields";
import type { FieldSpec } from "../../lib/shared/fields/field-spec";
import { LOG_FIELDS } from "../../lib/shared/fields/log-fields";
import { MEDIA_FIELDS } from "../../lib/shared/fields/media-fields";
import { OPT_OUT_FIELDS } from "../../lib/shared/fields/opt-out-fields";
import { RCS_FIELDS } from "../../lib/shared/fields/rcs-fields";
import { RULE_FIELDS } from "../../lib/shared/fields/rule-fields";
import { SMS_FIELDS } from "../../lib/shared/fields/sms-fields";
import { WAIT_FIELDS } from "../../lib/shared/fields/wait-fields";
import { WHATSAPP_FIELDS } from "../../lib/shared/fields/whatsapp-fields";

/** The table of fields of each node type that has one; key and folder name are the type. */
export const FIELD_TABLES: Readonly<Record<string, readonly FieldSpec[]>> = {
  "sms-send": SMS_FIELDS,
  "whatsapp-send": WHATSAPP_FIELDS,
  "rcs-send": RCS_FIELDS,
  "media-transfer": MEDIA_FIELDS,
  "message-log": LOG_FIELDS,
  "opt-out": OPT_OUT_FIELDS,
  "message-wait": WAIT_FIELDS,
  "verify-code": CODE_FIELDS,
  "message-digest": DIGEST_FIELDS,
};

/** The tables of fields that several types of nodes have. Their texts are in the catalogue of the account, under `editor` and the key here. */
export const SHARED_TABLES: Readonly<Record<string, readonly FieldSpec[]>> = {
  rules: RULE_FIELDS,
};
