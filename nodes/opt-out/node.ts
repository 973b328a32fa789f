import type { NodeRuntime } from "../../lib/runtime/node-red/register-node";
import { type OptOutConfig, OptOutNode } from "./runtime/opt-out-node";
import { NODE_VALUES, fieldValues } from "../../lib/shared/fields/initial-values";
import { OPT_OUT_FIELDS, OPT_OUT_KINDS, OPT_OUT_PORTS } from "../../lib/shared/fields/opt-out-fields";
import { OPT_OUT_LABELS } from "./runtime/opt-out-labels";

export const NODE: NodeRuntime<OptOutConfig> = {
  initial: {
    ...NODE_VALUES,
    kind: OPT_OUT_KINDS[0],
    resultProperty: "optOut",
    outputs: OPT_OUT_PORTS[OPT_OUT_KINDS[0]],
    ...fieldValues(OPT_OUT_FIELDS),
  },
  labels: OPT_OUT_LABELS,
  start: (RED, node, config) => void new OptOutNode(RED, node, config),
};
