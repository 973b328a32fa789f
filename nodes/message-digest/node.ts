import { DigestNode } from "./runtime/digest-node";
import type { DigestConfig } from "./runtime/digest-settings";
import type { NodeRuntime } from "../../lib/runtime/node-red/register-node";
import { DIGEST_DEFAULTS, DIGEST_FIELDS, DIGEST_OUTPUTS } from "./shared/digest-fields";
import { NODE_VALUES, fieldValues } from "../../lib/shared/fields/initial-values";
import de from "./locales/de/message-digest.json";
import en from "./locales/en-US/message-digest.json";

export const NODE: NodeRuntime<DigestConfig> = {
  initial: { ...NODE_VALUES, ...DIGEST_DEFAULTS, outputs: DIGEST_OUTPUTS, ...fieldValues(DIGEST_FIELDS) },
  labels: { "en-US": en["message-digest"].field, de: de["message-digest"].field },
  start: (RED, node, config) => void new DigestNode(RED, node, config),
};
