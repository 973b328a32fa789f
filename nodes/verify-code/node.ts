import { CodeNode, type VerifyCodeConfig } from "./runtime/code-node";
import type { NodeRuntime } from "../../lib/runtime/node-red/register-node";
import { CODE_DEFAULTS, CODE_FIELDS, CODE_KINDS, CODE_PORTS } from "./shared/code-fields";
import { NODE_VALUES, fieldValues } from "../../lib/shared/fields/initial-values";
import de from "./locales/de/verify-code.json";
import en from "./locales/en-US/verify-code.json";

export const NODE: NodeRuntime<VerifyCodeConfig> = {
  initial: {
    ...NODE_VALUES,
    kind: CODE_KINDS[0],
    ...CODE_DEFAULTS,
    outputs: CODE_PORTS[CODE_KINDS[0]],
    ...fieldValues(CODE_FIELDS),
  },
  labels: { "en-US": en["verify-code"].field, de: de["verify-code"].field },
  start: (RED, node, config) => void new CodeNode(RED, node, config),
};
