import { type LogConfig, LogNode } from "./runtime/log-node";
import type { NodeRuntime } from "../../lib/runtime/node-red/register-node";
import { NODE_VALUES, fieldValues } from "../../lib/shared/fields/initial-values";
import { LOG_FIELDS, LOG_KINDS } from "../../lib/shared/fields/log-fields";
import de from "./locales/de/message-log.json";
import en from "./locales/en-US/message-log.json";

export const NODE: NodeRuntime<LogConfig> = {
  initial: {
    ...NODE_VALUES,
    kind: LOG_KINDS[0],
    openMetrics: false,
    resultProperty: "payload",
    ...fieldValues(LOG_FIELDS),
  },
  labels: { "en-US": en["message-log"].field, de: de["message-log"].field },
  start: (RED, node, config) => void new LogNode(RED, node, config),
};
